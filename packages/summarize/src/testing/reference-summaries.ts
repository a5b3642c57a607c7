/** Summaries of the sample talks by a person who read them completely: three or four sentences in their language. */
export const REFERENCES: Record<string, string> = {
  'english en':
    'Marie Tharp, a geologist hired to draft for others because women were not allowed on the research ships, drew the first map of the ocean floor from thousands of soundings. When she laid six profiles across the North Atlantic one above the other, she saw a deep valley along the ridge, which meant that the ground is pulled apart and that continents move. Earthquakes plotted at the next desk fell inside the valley, and the ridge turned out to run around the whole planet for sixty-five thousand kilometers. Her work teaches to lay lines side by side, to trust the data against an unpopular theory, and to check it with an independent data set.',
  'english de':
    'Die Geologin Marie Tharp zeichnete aus Tausenden von Lotungen die erste Karte des Meeresbodens, obwohl Frauen nicht auf das Schiff durften. In sechs Profilen des Nordatlantiks fand sie ein tiefes Tal auf dem Rücken, ein Zeichen dafür, dass der Boden auseinandergezogen wird und die Kontinente wandern. Die Erdbeben, die am Nachbartisch eingezeichnet wurden, lagen genau in diesem Tal, und der Rücken zieht sich um den ganzen Planeten. Man soll Linien nebeneinanderlegen, den Daten vertrauen und sie mit unabhängigen Daten prüfen.',
  'spanish es':
    'La papa era una planta venenosa y amarga que los pueblos de los Andes aprendieron a comer con arcilla y con el frío de la montaña, que la convierte en chuño y la conserva durante años. Llegó a Europa en el siglo dieciséis y al principio despertó desconfianza, hasta que Parmentier la hizo deseable. En Irlanda casi todos cultivaban una sola variedad, y en 1845 el tizón destruyó las cosechas y murió cerca de un millón de personas. En los Andes se siembran muchas variedades a la vez: la diversidad es un seguro.',
  'french fr':
    'Le pain chante en sortant du four parce que la croûte sèche et rigide se refroidit la première, puis que la mie en se contractant tire sur elle et la fissure. Avant cela, le gluten de la farine forme un filet qui retient le gaz des levures, et les bactéries du levain donnent le goût et protègent la pâte. Dans le four, le gaz se dilate, l’amidon gonfle et la mie se fige, tandis que la vapeur garde la surface souple pour que le pain grandisse. La réaction de Maillard donne à la croûte sa couleur et son odeur.',
  'german de':
    'Ein Bienenschwarm findet seine neue Wohnung ohne Chef: Kundschafterinnen untersuchen Höhlen und berichten davon mit einem Tanz, dessen Winkel die Richtung und dessen Dauer die Entfernung angibt. Für gute Orte wird länger getanzt, jede Biene prüft selbst nach, und der Eifer lässt von selbst nach, so dass schwache Vorschläge verschwinden. Sind am neuen Ort zwanzig bis dreißig Kundschafterinnen zugleich, ist die Schwelle erreicht und der Schwarm fliegt los. Für Sitzungen heißt das: viele Vorschläge sammeln, jeden selbst prüfen lassen und entscheiden, wenn genug überzeugt sind.',
  'portuguese pt':
    'O pôr do sol é vermelho pela mesma razão que o céu é azul: as moléculas do ar espalham o azul, de ondas curtas, cinco ou seis vezes mais do que o vermelho. No fim da tarde a luz vem de lado e atravessa quase quarenta vezes mais ar, o azul se perde pelo caminho e sobra o laranja e o vermelho. Nuvens altas, poeira fina e vulcões como o Krakatoa mudam as cores. Um copo de água com gotas de leite e uma lanterna mostram o mesmo efeito na cozinha.',
  'japanese ja':
    '和紙が千年もつのは、楮の長い繊維がよく絡み合い、薄くても破れにくいからです。皮は灰の湯で煮て川の水にさらし、切らずにたたいて繊維をほぐし、トロロアオイのねりを加えて流し漉きにします。百年前の本が割れるのは、紙に使われた薬が酸を作り、酸が繊維を短く切るためです。和紙は灰の湯で中性から弱いアルカリ性に保たれ、今では世界の美術館で修復に使われています。',
  'korean ko':
    '김치가 시어지는 것은 배추에 사는 젖산균이 당을 먹고 산을 만들기 때문이다. 소금은 배추의 물을 끌어내고 썩게 하는 세균을 막지만 젖산균은 소금을 잘 견딘다. 처음에는 류코노스톡이 활발하다가 국물이 산성이 되면 산에 강한 다른 젖산균이 자리를 이어받는다. 땅속 항아리와 김치냉장고는 온도를 낮고 일정하게 지켜 발효를 천천히 하고, 신 김치는 찌개와 볶음밥에 잘 어울린다.',
  'chinese zh-Hans':
    '二十四节气完全由太阳决定，而不是跟着月亮走。古人用竿子量正午的影子，找出冬至和夏至，再把一年分成二十四份。后来张子信发现太阳走得时快时慢，于是不分时间而分角度，黄经每走十五度就是一个节气，这叫作定气法。农历的月份跟着月亮，没有中气的月定为闰月，太阳和月亮就在同一本日历里和好了。',
  'hindi hi':
    'शून्य के बिना हज़ारों साल तक दुनिया का काम चला, क्योंकि अंक का मूल्य स्थान से तय होने पर ही ख़ाली जगह लिखने की ज़रूरत पड़ी। भारत में ख़ाली स्थान के लिए पहले बिंदु और फिर छोटा गोला लिखा गया। सन छह सौ अट्ठाईस में ब्रह्मगुप्त ने शून्य के नियम लिखे और उसे एक पूरी संख्या बनाया। ये अंक बग़दाद से यूरोप पहुँचे, जहाँ व्यापारी जीते, और आज हर तस्वीर और वीडियो शून्य और एक से बना है।',
}
