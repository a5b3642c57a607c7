import fc from 'fast-check'
import { type CheckedForm, checkForm } from './check-form.ts'

/** One sentence in each language, and the ways in which numbers are put into it. */
const LANGUAGES: Record<string, { line: (said: string) => string; words: Record<number, string>; unit: string }> = {
  en: {
    line: (said) => `The old harbour has ${said} wooden boats.`,
    words: {
      7: 'seven',
      12: 'twelve',
      45: 'forty-five',
      300: 'three hundred',
      2500: 'two thousand five hundred',
      3000000: 'three million',
    },
    unit: 'boats',
  },
  de: {
    line: (said) => `Der alte Hafen hat ${said} Boote aus Holz.`,
    words: {
      7: 'sieben',
      12: 'zwölf',
      45: 'fünfundvierzig',
      300: 'dreihundert',
      2500: 'zweitausendfünfhundert',
      3000000: 'drei Millionen',
    },
    unit: 'Boote',
  },
  fr: {
    line: (said) => `Le vieux port compte ${said} bateaux de bois.`,
    words: {
      7: 'sept',
      12: 'douze',
      45: 'quarante-cinq',
      300: 'trois cents',
      2500: 'deux mille cinq cents',
      3000000: 'trois millions',
    },
    unit: 'bateaux',
  },
  es: {
    line: (said) => `El viejo puerto tiene ${said} barcos de madera.`,
    words: {
      7: 'siete',
      12: 'doce',
      45: 'cuarenta y cinco',
      300: 'trescientos',
      2500: 'dos mil quinientos',
      3000000: 'tres millones',
    },
    unit: 'barcos',
  },
  pt: {
    line: (said) => `O velho porto tem ${said} barcos de madeira.`,
    words: {
      7: 'sete',
      12: 'doze',
      45: 'quarenta e cinco',
      300: 'trezentos',
      2500: 'dois mil e quinhentos',
      3000000: 'três milhões',
    },
    unit: 'barcos',
  },
  ja: {
    line: (said) => `古い港には木の船が${said}隻あります。`,
    words: { 12: '十二', 45: '四十五', 300: '三百', 2500: '二千五百', 3000000: '三百万' },
    unit: '隻',
  },
  ko: {
    line: (said) => `오래된 항구에는 나무 배가 ${said}척 있습니다.`,
    words: { 12: '십이', 45: '사십오', 300: '삼백', 2500: '이천오백', 3000000: '삼백만' },
    unit: '척',
  },
  zh: {
    line: (said) => `老港口有${said}艘木船。`,
    words: { 12: '十二', 45: '四十五', 300: '三百', 2500: '二千五百', 3000000: '三百万' },
    unit: '艘',
  },
  hi: {
    line: (said) => `पुराने बंदरगाह में लकड़ी की ${said} नावें हैं।`,
    words: { 7: 'सात', 12: 'बारह', 45: 'पैंतालीस', 300: 'तीन सौ', 2500: 'दो हज़ार पाँच सौ', 3000000: 'तीस लाख' },
    unit: 'नावें',
  },
}
const VALUES = [7, 12, 45, 300, 2500, 3_000_000]
const LURES = [8, 13, 54, 301, 250, 2_501, 30_000_000, 1_452]
const ARABIC = '٠١٢٣٤٥٦٧٨٩'

/** The ways in which a number can be written without words. */
const writings: ((value: number) => string)[] = [
  String,
  (value) => value.toLocaleString('en'),
  (value) => value.toLocaleString('de'),
  (value) => value.toLocaleString('en').replaceAll(',', ' '),
  (value) => String(value).replace(/\d/g, (digit) => ARABIC[Number(digit)] ?? digit),
  (value) => String(value).replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
]
/** Every number that a text shows, by reading no more than digits and the words that the forms are made of. */
function readShown(text: string, language: string): number[] {
  const plain = text.normalize('NFKC').replace(/[٠-٩]/g, (digit) => String(ARABIC.indexOf(digit)))
  const inDigits = [...plain.matchAll(/\d[\d.,’ ]*/g)].map(([digits]) => Number(digits.replace(/\D/g, '')))
  // The longest first: three hundred is a part of three hundred thousand.
  const byLength = Object.entries(LANGUAGES[language]?.words ?? {}).sort((a, b) => b[1].length - a[1].length)
  let rest = plain.toLowerCase()
  const inWords = byLength.flatMap(([value, words]) => {
    const pieces = rest.split(words.toLowerCase())
    rest = pieces.join('|')
    return pieces.length > 1 ? [Number(value)] : []
  })
  return [...inDigits, ...inWords]
}

interface Trap {
  checked: CheckedForm | null
  said: (number | null)[]
  language: string
}

const hostileForm = fc
  .record({
    language: fc.constantFrom(...Object.keys(LANGUAGES)),
    spoken: fc.array(fc.record({ value: fc.constantFrom(...VALUES), inWords: fc.boolean(), writing: fc.nat(3) }), {
      minLength: 9,
      maxLength: 9,
    }),
    written: fc.array(
      fc.record({
        line: fc.integer({ min: 1, max: 9 }),
        value: fc.oneof(fc.constantFrom(...VALUES), fc.constantFrom(...LURES)),
        isHonest: fc.boolean(),
        inWords: fc.boolean(),
        writing: fc.nat(5),
      }),
      { minLength: 12, maxLength: 12 },
    ),
  })
  .map(({ language, spoken, written }): Trap => {
    const { line, words, unit } = LANGUAGES[language] ?? { line: String, words: {}, unit: '' }
    const write = (value: number, inWords: boolean, writing: number) =>
      (inWords && words[value]) || (writings[writing] ?? String)(value)
    // Silent lines between them keep the numbers of one claim out of the evidence of the next.
    const texts = spoken.flatMap(({ value, inWords, writing }) => [
      line(write(value, inWords, writing)),
      line(''),
      line(''),
    ])
    const said = spoken.flatMap(({ value }) => [value, null, null])
    const at = (position: number) => position * 3 - 2
    const lies = written.map((entry) => ({
      ...entry,
      value: entry.isHonest ? (said[at(entry.line) - 1] ?? 0) : entry.value,
    }))
    const claims = lies
      .slice(0, 6)
      .map((entry) => ({ text: line(write(entry.value, entry.inWords, entry.writing)), segment_ids: [at(entry.line)] }))
    const numbers = lies.slice(6).map((entry, index) => ({
      value: (writings[entry.writing] ?? String)(entry.value),
      unit: index % 2 === 0 ? unit : '',
      label: index % 3 === 0 ? line(write(entry.value, true, 0)) : line('').slice(0, 40),
      segment_id: at(entry.line),
    }))
    const headline = line(write(lies[0]?.value ?? 0, lies[1]?.inWords ?? false, 0)).slice(0, 60)
    return {
      language,
      said,
      checked: checkForm(
        { headline, claims, numbers, comparable: true },
        {
          cues: texts.map((text, index) => ({ startMs: index * 5_000, durationMs: 4_900, text })),
          notes: texts.map((text, index) => ({ text, segmentIds: [index + 1] })),
          spokenLanguage: language,
          language,
          published: [],
          isLeak: () => false,
          isHeadingLeak: () => false,
          isInScript: () => true,
        },
      ),
    }
  })

test('shows no number of 500 hostile forms that is not said in its segment, and some of those that are', () => {
  let shownNumbers = 0
  fc.assert(
    fc.property(hostileForm, ({ checked, said, language }) => {
      if (!checked) return
      const near = (segmentIds: number[]) =>
        segmentIds.flatMap((id) => [-2, -1, 0, 1, 2].map((step) => said[id - 1 + step]))
      const all = checked.claims.flatMap(({ segmentIds }) => near(segmentIds))
      for (const { text, segmentIds } of checked.claims) {
        for (const value of readShown(text, language)) expect(near(segmentIds)).toContain(value)
      }
      for (const value of readShown(checked.headline ?? '', language)) expect(all).toContain(value)
      for (const { value, unit, label, amount, segmentId } of checked.figures) {
        shownNumbers++
        expect(said[segmentId - 1]).toBe(amount)
        for (const shown of readShown(`${value} ${unit} | ${label}`, language)) expect(shown).toBe(amount)
      }
    }),
    { numRuns: 500 },
  )
  expect(shownNumbers).toBeGreaterThan(100)
})
