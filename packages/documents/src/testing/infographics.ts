import type { InfographicContent, VideoInfo } from '@subtext/contracts'
import { newVideoInfo } from '@subtext/contracts/testing'

interface Sample {
  channel: string
  title: string
  headline: string
  claims: [string, string, string]
  figures: [value: string, unit: string, label: string][]
  parts: string[]
}

/** What infographics say in each language of the service, and in one that is written from right to left. */
const SAMPLES: Record<string, Sample> = {
  en: {
    channel: 'Field Notes',
    title: 'Why city bees are doing better than country bees',
    headline: 'City bees now out-produce their country cousins',
    claims: [
      'Urban hives yielded more honey in every one of the five years surveyed.',
      'Linden, clover and balcony flowers bloom from March to October, so there is no summer gap.',
      'Monocultures leave rural bees without food for weeks after the rape harvest.',
    ],
    figures: [
      ['17.2', 'kg', 'honey per urban hive'],
      ['9.8', 'kg', 'honey per rural hive'],
      ['300', 'beekeepers', 'surveyed'],
    ],
    parts: ['The survey', 'What cities offer', 'The rural gap', 'What you can plant'],
  },
  de: {
    channel: 'Stadt von morgen',
    title: 'Wärmepumpen im Altbau: Erfahrungen nach drei Wintern',
    headline: 'Wärmepumpen heizen auch ungedämmte Altbauten',
    claims: [
      'Größere Heizkörper genügten in neun von zehn Häusern; eine Fußbodenheizung brauchte keines.',
      'Die Vorlauftemperatur entscheidet über den Stromverbrauch, nicht das Baujahr.',
      'Das Bundeswasserstraßenverwaltungsgesetz regelt die Verkehrsinfrastrukturfinanzierung seit langem.',
    ],
    figures: [
      ['3,1', '', 'Jahresarbeitszahl im Mittel'],
      ['-12', '°C', 'kälteste Nacht ohne Heizstab'],
    ],
    parts: ['Die Messungen', 'Heizkörper', 'Kosten und Förderung', 'Lärm'],
  },
  es: {
    channel: 'Ciencia en la mesa',
    title: '¿Qué le pasa a tu cuerpo cuando duermes poco?',
    headline: 'Dormir poco engorda, y no es cuestión de voluntad',
    claims: [
      'Con cuatro horas de sueño, los voluntarios comieron casi cuatrocientas kilocalorías más.',
      'La hormona del hambre sube ya después de la segunda noche corta.',
      'El fin de semana no compensa: el metabolismo tarda más en recuperarse.',
    ],
    figures: [['2.435', 'kilocalorías', 'al día con cuatro horas de sueño']],
    parts: ['El experimento', 'Hormonas', 'Recuperar el sueño'],
  },
  fr: {
    channel: 'Cartes et Territoires',
    title: 'Pourquoi les villages français renaissent',
    headline: 'Les villages français ne se vident plus',
    claims: [
      'Le télétravail a rendu la distance au bureau presque indifférente deux jours par semaine.',
      'Une école ouverte retient plus de familles qu’une autoroute à dix minutes.',
      'Sans médecin, les nouveaux arrivants repartent au bout de trois ans.',
    ],
    figures: [
      ['0,6', '%', 'd’habitants de plus par an'],
      ['4 200', 'cafés', 'rouverts'],
    ],
    parts: ['Le retour', 'L’école', 'Les commerces', 'La santé'],
  },
  pt: {
    channel: 'Rio Abaixo',
    title: 'A volta da onça-pintada ao Iberá',
    headline: 'A onça voltou depois de setenta anos',
    claims: [
      'Os primeiros filhotes nasceram em recintos e nunca viram um ser humano.',
      'Onde a onça caça, as capivaras mudam de hábitos e a margem volta a ter árvores.',
      'O turismo paga hoje mais salários do que o gado pagava.',
    ],
    figures: [
      ['35', '', 'onças em liberdade'],
      ['758', 'mil ha', 'área protegida'],
    ],
    parts: ['A extinção', 'A soltura', 'Os vizinhos'],
  },
  ru: {
    channel: 'Лаборатория',
    title: 'Как работает вечная мерзлота и почему она тает',
    headline: 'Мерзлота тает быстрее, чем показывали модели',
    claims: [
      'Под Якутском глубина оттаивания выросла вдвое за одно поколение.',
      'Главная опасность — не метан, а просадка грунта под трубами и домами.',
      'Снег греет землю: там, где его убирают, мерзлота остаётся.',
    ],
    figures: [
      ['1,4', '°C', 'потепление за сорок лет'],
      ['65', '%', 'территории страны'],
    ],
    parts: ['Что такое мерзлота', 'Измерения', 'Дома на сваях'],
  },
  ja: {
    channel: 'まちの科学',
    title: '東京の電車はなぜ時間どおりに来るのか',
    headline: '東京の電車が遅れない本当の理由',
    claims: [
      '時刻表は十五秒単位で組まれ、乗り換えの歩く速さまで計算に入っている。',
      '運転士は指差し確認で誤りを八割以上減らした。',
      '折り返しの清掃は七分で終わり、それがダイヤの余裕になる。',
    ],
    figures: [
      ['0.9', '分', '年間の平均遅延'],
      ['98', '%', '定刻の列車'],
    ],
    parts: ['時刻表', '指差し確認', '遅れの回復'],
  },
  ko: {
    channel: '맛있는 과학',
    title: '김치가 시어지는 데에는 순서가 있다',
    headline: '김치의 맛은 온도 1도가 결정한다',
    claims: [
      '처음 일주일은 류코노스톡이 탄산을 만들어 시원한 맛을 낸다.',
      '온도가 5도를 넘으면 신맛을 내는 젖산균이 앞선다.',
      '무를 함께 넣으면 배추만 담근 김치보다 오래 아삭하다.',
    ],
    figures: [
      ['2.5', '%', '소금 농도'],
      ['3', '주', '가장 맛있는 때'],
    ],
    parts: ['소금', '유산균', '보관'],
  },
  'zh-Hans': {
    channel: '慢读历史',
    title: '运河如何造就了一座城市',
    headline: '一条运河养活了半个中国',
    claims: [
      '苏州的丝绸靠水路四十天就能到达北京，陆路要三个月。',
      '船闸的发明让船只可以翻过四十米高的分水岭。',
      '铁路通车之后，沿河的一半码头在十年内消失了。',
    ],
    figures: [
      ['1794', '公里', '运河全长'],
      ['400', '万石', '每年漕粮'],
    ],
    parts: ['开凿', '船闸', '漕运与行会'],
  },
  hi: {
    channel: 'गाँव की पाठशाला',
    title: 'बारिश का पानी कैसे बचाएँ: एक गाँव की कहानी',
    headline: 'एक गाँव ने दो साल में अपना सूखा मिटा दिया',
    claims: [
      'हर खेत की मेड़ पर छोटी नाली बनाने से पहला ही मानसून रुक गया।',
      'महिलाओं की समिति ने पानी के बँटवारे का हिसाब सबके सामने रखा।',
      'कुओं में अब मई तक पानी रहता है, और दूसरी फसल होने लगी है।',
    ],
    figures: [
      ['42', '', 'नए तालाब'],
      ['3.5', 'मीटर', 'बढ़ा भूजल स्तर'],
    ],
    parts: ['सूखा', 'मेड़ और नाली', 'समिति'],
  },
  ar: {
    channel: 'حكايات المدن',
    title: 'كيف تبرّد البيوت القديمة نفسها بلا كهرباء',
    headline: 'بيوت تبرّد نفسها منذ ألف عام بلا كهرباء',
    claims: [
      'يلتقط برج الرياح الهواء من ارتفاع عشرين مترا ويدفعه إلى الغرف.',
      'الجدران السميكة تؤخر حرارة الظهيرة حتى المساء.',
      'الفناء المظلل مع نافورة صغيرة يخفض الحرارة ثماني درجات.',
    ],
    figures: [
      ['8', 'درجات', 'فرق الحرارة في الفناء'],
      ['40', '%', 'أقل استهلاكا للكهرباء'],
    ],
    parts: ['برج الرياح', 'الجدران', 'الفناء'],
  },
}
export const INFOGRAPHIC_LANGUAGES = Object.keys(SAMPLES)

const DURATION_MS = 1_080_000
const BINS = 84

/** Builds the infographic of a video in a language. */
export function buildSample(
  language: string,
  changes: Partial<InfographicContent> = {},
): { content: InfographicContent; video: VideoInfo } {
  const sample = SAMPLES[language]
  if (!sample) throw new Error(`There is no sample in ${language}.`)
  const spread = (index: number, count: number): number => Math.floor((DURATION_MS * (index + 0.3)) / count)
  return {
    content: {
      language,
      headline: sample.headline,
      claims: sample.claims.map((text, index) => ({ text, segmentIds: [index + 1] })),
      figures: sample.figures.map(([value, unit, label], index) => ({
        value,
        unit,
        label,
        amount: index + 1,
        segmentId: 1,
      })),
      isChart: false,
      parts: sample.parts.map((title, index) => ({
        title,
        startMs: index === 0 ? 0 : spread(index, sample.parts.length),
      })),
      density: Array.from({ length: BINS }, (_, index) => 0.2 + 0.8 * Math.abs(Math.sin(index * index))),
      momentsMs: sample.claims.map((_, index) => spread(index, sample.claims.length)),
      durationMs: DURATION_MS,
      model: 'claude-haiku-5-5',
      ...changes,
    },
    video: {
      ...newVideoInfo(`sample-${language}`),
      title: sample.title,
      channel: { id: 'c', name: sample.channel, url: 'https://example.org' },
      published_at: '2026-05-03T10:00:00Z',
      language,
    },
  }
}
