import type { FormSchema } from '@subtext/contracts'
import { contentOf, fillForm, leaf, quoted } from '../testing/fill-form.ts'

const TEXT: FormSchema = { type: ['string', 'null'] }
const NUMBER: FormSchema = { type: ['number', 'null'] }
const COUNT: FormSchema = { type: ['integer', 'null'] }
const DATE: FormSchema = { type: ['string', 'null'], format: 'date' }
const YES_NO: FormSchema = { type: ['boolean', 'null'] }
const oneOf = (...values: string[]): FormSchema => ({ type: ['string', 'null'], enum: [...values, null] })

/** What lines say, with the answer of an honest model: form, value, line, and a quotation where one is asked for. */
type TrueLeaf = [form: FormSchema, value: string | number | boolean, line: number, quote?: string]

const SPEECHES: Record<string, { lines: string[]; leaves: TrueLeaf[] }> = {
  en: {
    lines: [
      'Third quarter revenue rose two and a half percent to 452 million dollars.',
      'The board rejected the merger with Northwind on the fifth of March 2024.',
      'Alice Moreau will send the report to the auditors by Friday.',
      'We hired forty-two engineers, and nobody left.',
      'The plan was not approved, and the team was not happy about it.',
      'The new plant opens on January 3rd, 2027, in Leipzig.',
      'It costs $1,250 per seat, or nine hundred if you pay before December 1st 2026.',
      'In the night, temperatures fell to minus seven degrees.',
      'About a third of the customers, 33 percent, chose the cheaper plan.',
      'Dr. Maria Chen, who leads the hospital, called it a turning point.',
    ],
    leaves: [
      [NUMBER, 452_000_000, 1],
      [NUMBER, 2.5, 1],
      [TEXT, 'Third quarter revenue rose to 452 million dollars.', 1],
      [DATE, '2024-03-05', 2],
      [TEXT, 'The board rejected the merger with Northwind.', 2],
      [TEXT, 'Northwind', 2],
      [oneOf('approved', 'rejected'), 'rejected', 2, 'The board rejected the merger'],
      [TEXT, 'Alice Moreau', 3],
      [TEXT, 'Alice Moreau will send the report to the auditors.', 3],
      [TEXT, 'send the report to the auditors', 3],
      [TEXT, 'by Friday', 3],
      [COUNT, 42, 4],
      [TEXT, 'They hired forty-two engineers.', 4],
      [TEXT, '42 engineers', 4],
      [YES_NO, false, 5, 'The plan was not approved'],
      [TEXT, 'The team was not happy.', 5],
      [DATE, '2027-01-03', 6],
      [TEXT, 'Leipzig', 6],
      [TEXT, 'The new plant opens in Leipzig.', 6],
      [NUMBER, 1_250, 7],
      [NUMBER, 900, 7],
      [DATE, '2026-12-01', 7],
      [NUMBER, -7, 8],
      [NUMBER, 33, 9],
      [TEXT, 'A third of the customers chose the cheaper plan.', 9],
      [oneOf('cheaper', 'dearer'), 'cheaper', 9, 'chose the cheaper plan'],
      [TEXT, 'Maria Chen', 10],
      [TEXT, 'Dr. Maria Chen leads the hospital.', 10],
      [TEXT, 'a turning point', 10],
    ],
  },
  de: {
    lines: [
      'Der Umsatz stieg um 3,4 Prozent auf 12 Millionen Euro.',
      'Am 12. April 2027 beginnen die Bauarbeiten an der Brücke.',
      'Frau Schneider prüft die Verträge bis Montag.',
      'Zweiundvierzig Gemeinden haben zugestimmt, drei nicht.',
      'Ein Platz kostet 1.250 Euro im Jahr.',
      'Der Antrag wurde am ersten Mai 2026 abgelehnt.',
    ],
    leaves: [
      [NUMBER, 3.4, 1],
      [NUMBER, 12_000_000, 1],
      [TEXT, 'Der Umsatz stieg auf 12 Millionen Euro.', 1],
      [DATE, '2027-04-12', 2],
      [TEXT, 'Die Bauarbeiten an der Brücke beginnen am 12. April 2027.', 2],
      [TEXT, 'Frau Schneider', 3],
      [TEXT, 'Frau Schneider prüft die Verträge.', 3],
      [TEXT, 'bis Montag', 3],
      [COUNT, 42, 4],
      [COUNT, 3, 4],
      [NUMBER, 1_250, 5],
      [DATE, '2026-05-01', 6],
      [oneOf('angenommen', 'abgelehnt'), 'abgelehnt', 6, 'am ersten Mai 2026 abgelehnt'],
      [TEXT, 'Der Antrag wurde abgelehnt.', 6],
    ],
  },
  es: {
    lines: [
      'El presupuesto es de dos millones de euros.',
      'La reunión es el primero de mayo de 2026.',
      'Carmen Ortiz dirige el proyecto.',
      'Treinta y siete personas firmaron la carta.',
      'Los precios subieron un 4,5 por ciento.',
    ],
    leaves: [
      [NUMBER, 2_000_000, 1],
      [TEXT, 'El presupuesto es de dos millones de euros.', 1],
      [DATE, '2026-05-01', 2],
      [TEXT, 'Carmen Ortiz', 3],
      [TEXT, 'Carmen Ortiz dirige el proyecto.', 3],
      [COUNT, 37, 4],
      [TEXT, 'Treinta y siete personas firmaron la carta.', 4],
      [NUMBER, 4.5, 5],
    ],
  },
  fr: {
    lines: [
      'Le budget atteint 1,5 million d’euros.',
      'Le vote aura lieu le 14 juillet 2026.',
      'Claire Dubois dirige le projet.',
      'Quatre-vingt-dix élèves ont participé au concours.',
      'La loi entre en vigueur le 1er janvier 2027.',
    ],
    leaves: [
      [NUMBER, 1_500_000, 1],
      [DATE, '2026-07-14', 2],
      [TEXT, 'Le vote aura lieu le 14 juillet 2026.', 2],
      [TEXT, 'Claire Dubois', 3],
      [TEXT, 'Claire Dubois dirige le projet.', 3],
      [COUNT, 90, 4],
      [DATE, '2027-01-01', 5],
      [YES_NO, true, 5, 'La loi entre en vigueur'],
    ],
  },
  ja: {
    lines: [
      '2026年3月5日に会議を開きます。',
      '売上は4億5200万円でした。',
      'エンジニアを42人採用しました。',
      '計画は承認されませんでした。',
    ],
    leaves: [
      [DATE, '2026-03-05', 1],
      [NUMBER, 452_000_000, 2],
      [TEXT, '売上は4億5200万円でした。', 2],
      [COUNT, 42, 3],
      [TEXT, 'エンジニアを42人採用しました。', 3],
      [TEXT, '計画は承認されませんでした。', 4],
    ],
  },
}

const MAX_LOST_SHARE = 0.02

test('keeps what an honest model reads: at most two percent of true values are lost', async () => {
  const lost: string[] = []
  let total = 0
  for (const [language, { lines, leaves }] of Object.entries(SPEECHES)) {
    const form: FormSchema = {
      type: 'object',
      properties: Object.fromEntries(leaves.map(([inner], index) => [`p${index}`, inner])),
    }
    const answer = leaves.map(([, value, line, quote], index) => [
      `p${index}`,
      quote === undefined ? leaf(value, line) : quoted(value, quote, line),
    ])
    const cues = lines.map((text, index) => ({ startMs: index * 20_000, durationMs: 4_000, text }))
    const { data } = contentOf(await fillForm(form, [Object.fromEntries(answer)], { lines: cues, language }))
    const values = data as Record<string, unknown>
    total += leaves.length
    lost.push(...leaves.flatMap(([, value], index) => (values[`p${index}`] === value ? [] : [`${language}: ${value}`])))
  }
  expect(total).toBeGreaterThan(60)
  expect({ lost, isTooMuch: lost.length > total * MAX_LOST_SHARE }).toMatchObject({ isTooMuch: false })
})
