import type { Cue } from '@subtext/contracts'

/** The same talk in the nine languages of the interface, in Arabic, and in Thai, which has no spaces between words. */
export const LIGHTHOUSE: Record<string, string[]> = {
  en: [
    'The first lighthouse on this coast was built in 1811.',
    'Its lamp burned whale oil for forty years.',
    'A keeper climbed two hundred steps every evening.',
    'Today a small solar panel does his work.',
  ],
  de: [
    'Der erste Leuchtturm an dieser Küste wurde 1811 gebaut.',
    'Seine Lampe brannte vierzig Jahre lang mit Walöl.',
    'Ein Wärter stieg jeden Abend zweihundert Stufen hinauf.',
    'Heute erledigt ein kleines Solarmodul seine Arbeit.',
  ],
  es: [
    'El primer faro de esta costa se construyó en 1811.',
    'Su lámpara quemó aceite de ballena durante cuarenta años.',
    'Un farero subía doscientos escalones cada tarde.',
    'Hoy un pequeño panel solar hace su trabajo.',
  ],
  fr: [
    'Le premier phare de cette côte fut construit en 1811.',
    'Sa lampe a brûlé de l’huile de baleine pendant quarante ans.',
    'Un gardien montait deux cents marches chaque soir.',
    'Aujourd’hui, un petit panneau solaire fait son travail.',
  ],
  pt: [
    'O primeiro farol desta costa foi construído em 1811.',
    'A sua lâmpada queimou óleo de baleia durante quarenta anos.',
    'Um faroleiro subia duzentos degraus todas as noites.',
    'Hoje um pequeno painel solar faz o seu trabalho.',
  ],
  ja: [
    'この海岸で最初の灯台は1811年に建てられました。',
    'その明かりは四十年間、鯨油で灯されていました。',
    '灯台守は毎晩二百段の階段を上りました。',
    '今では小さな太陽電池がその仕事をしています。',
  ],
  zh: [
    '这片海岸的第一座灯塔建于1811年。',
    '它的灯用鲸油点了整整四十年之久。',
    '守塔人每天晚上都要爬两百级台阶。',
    '如今一块小小的太阳能板代替了他的工作。',
  ],
  ko: [
    '이 해안의 첫 등대는 1811년에 세워졌습니다.',
    '등불은 사십 년 동안 고래기름으로 탔습니다.',
    '등대지기는 매일 저녁 이백 계단을 올랐습니다.',
    '오늘날에는 작은 태양광 패널이 그 일을 합니다.',
  ],
  hi: [
    'इस तट का पहला प्रकाशस्तंभ 1811 में बनाया गया था।',
    'उसका दीपक चालीस साल तक व्हेल के तेल से जलता रहा।',
    'रखवाला हर शाम दो सौ सीढ़ियाँ चढ़ता था।',
    'आज एक छोटा सौर पैनल उसका काम करता है।',
  ],
  ar: [
    'بُنيت أول منارة على هذا الساحل عام ١٨١١.',
    'ظل مصباحها يحترق بزيت الحوت أربعين عامًا.',
    'كان الحارس يصعد مئتي درجة كل مساء.',
    'واليوم يقوم لوح شمسي صغير بعمله.',
  ],
  th: [
    'ประภาคารแห่งแรกบนชายฝั่งนี้สร้างขึ้นในปี 1811',
    'ตะเกียงของมันใช้น้ำมันวาฬอยู่สี่สิบปี',
    'คนเฝ้าประภาคารขึ้นบันไดสองร้อยขั้นทุกเย็น',
    'ทุกวันนี้แผงโซลาร์ขนาดเล็กทำงานแทนเขา',
  ],
}

export const linesOf = (language: string): string[] => LIGHTHOUSE[language] ?? []

/** Short lines, so that those of the talk are not neighbors. */
const BETWEEN = ['♪', '…', '—']

/** Returns the number of the segment with a line of the talk (from 0). */
export const segmentOf = (line: number): number => line * (BETWEEN.length + 1) + 1

/** Returns the captions of the talk in a language. */
export const lighthouseCues = (language: string): Cue[] =>
  linesOf(language)
    .flatMap((line) => [line, ...BETWEEN])
    .map((text, index) => ({ startMs: index * 4_000, durationMs: 3_900, text }))

/** Returns a few words in a row of a line, or letters of a script without spaces. */
export function quoteFrom(line: string, from = 1): string {
  const words = line.split(' ')
  return words.length > 3 ? words.slice(from, from + 4).join(' ') : line.slice(from, from + 10)
}
