import { jest } from '@jest/globals'
import type { Cue } from '@subtext/contracts'
import type { InfographicForm } from '../prompts/infographic.ts'
import { checkForm } from './check-form.ts'

const toCues = (texts: readonly string[]): Cue[] =>
  texts.map((text, index) => ({ startMs: index * 5_000, durationMs: 4_900, text }))

/** Checks a form against a transcript, every line of which is a note, too. */
function check(texts: readonly string[], form: Partial<InfographicForm>, language = 'en', spokenLanguage = language) {
  const cues = toCues(texts)
  return checkForm(
    { headline: '', claims: [], numbers: [], comparable: false, ...form },
    {
      cues,
      notes: texts.map((text, index) => ({ text, segmentIds: [index + 1] })),
      spokenLanguage,
      language,
      isLeak: () => false,
      isHeadingLeak: () => false,
      isInScript: () => true,
      published: [],
    },
  )
}

const TALK = [
  'The harbour was founded in nineteen forty eight.',
  'Today it has 120 boats,',
  'and thirty-five percent of them',
  'belong to one family with three and a half million dollars.',
  'The lighthouse is twenty three metres high.',
  'On cold nights it is minus 12 degrees at the pier.',
  'The old lighthouse was 18 metres high, and the first one 9 metres.',
]
const CLAIMS = [
  { text: 'The harbour has 120 boats.', segment_ids: [2] },
  { text: 'A family owns 35 percent of the boats there.', segment_ids: [3] },
  { text: 'The lighthouse is higher than the old one.', segment_ids: [5, 7] },
]
const figure = (value: string, unit: string, label: string, segment_id: number) => ({ value, unit, label, segment_id })
const figuresOf = (...numbers: InfographicForm['numbers']): string[] =>
  (check(TALK, { claims: CLAIMS, numbers })?.figures ?? []).map(
    ({ value, unit, segmentId }) => `${value} ${unit} @${segmentId}`,
  )

describe('a number in a form', () => {
  test.each([
    ['in digits', figure('120', '', 'boats in the harbour', 2), '120  @2'],
    ['in words', figure('35', '%', 'of the boats belong to a family', 3), '35 % @3'],
    ['in words of years', figure('1948', '', 'founded', 1), '1948  @1'],
    ['with a unit that is written out', figure('23', 'm', 'height of the lighthouse', 5), '23 m @5'],
    ['with a sign that is said', figure('-12', '°C', 'at the pier on cold nights', 6), '-12 °C @6'],
    ['one of two in a line', figure('9', 'metres', 'the first lighthouse', 7), '9 metres @7'],
  ])('is kept when it is said %s', (_, number, kept) => {
    expect(figuresOf(number)).toEqual([kept])
  })

  test.each([
    ['nobody says', figure('121', '', 'boats in the harbour', 2)],
    ['is said elsewhere', figure('120', '', 'lighthouse', 5)],
    ['is a part of another one', figure('12', '', 'boats in the harbour', 2)],
    ['is said without its larger unit', figure('3', '', 'dollars of the family', 4)],
    ['has another unit', figure('35', 'metres', 'of the boats', 3)],
    ['has a unit that is said with another number', figure('120', '%', 'of the boats', 2)],
    ['lost its sign', figure('12', '°C', 'at the pier', 6)],
    ['got a sign', figure('-120', '', 'boats in the harbour', 2)],
    ['is no number', figure('many', '', 'boats in the harbour', 2)],
    ['hides another number in its unit', figure('120', 'of 500', 'boats in the harbour', 2)],
    ['hides another number in its label', figure('120', '', 'boats of nine hundred in the harbour', 2)],
    ['hides a digit of another script in its label', figure('120', '', 'boats in the harbour ٩', 2)],
    ['has a label about something else', figure('120', '', 'elephants', 2)],
    ['names a note that does not exist', figure('120', '', 'boats in the harbour', 99)],
  ])('is dropped when it %s', (_, number) => {
    expect(figuresOf(number)).toEqual([])
  })

  test.each([
    ['de', 'Der Hafen hat fünfundvierzigtausend Boote.', figure('45.000', '', 'Boote im Hafen', 1)],
    ['fr', 'Le port a quatre-vingt-dix-sept pour cent de bateaux.', figure('97', '%', 'de bateaux', 1)],
    ['es', 'El puerto costó dos millones quinientos mil euros.', figure('2,5', 'millones €', 'costó el puerto', 1)],
    ['pt', 'O porto tem trinta e cinco barcos.', figure('35', 'barcos', 'no porto', 1)],
    ['ru', 'В гавани шестьдесят пять процентов лодок.', figure('65', '%', 'лодок в гавани', 1)],
    ['hi', 'बंदरगाह में पच्चीस लाख रुपये लगे।', figure('25', 'लाख ₹', 'बंदरगाह में', 1)],
    ['ja', '港には三億五千万円かかりました。', figure('3.5', '億円', '港', 1)],
    ['ko', '항구에 배가 백이십 척 있습니다.', figure('120', '척', '항구에 배가', 1)],
    ['zh', '港口有百分之三十的船。', figure('30', '%', '港口的船', 1)],
    ['ar', 'في الميناء ٣٥ بالمئة من القوارب', figure('35', '%', 'من القوارب في الميناء', 1)],
  ])('is found in the words of %s', (language, line, number) => {
    const claims = ['', ' 1', ' 2'].map((suffix) => ({
      text: `${line}${suffix && '.'.repeat(Number(suffix))}`,
      segment_ids: [1],
    }))
    expect(check([line, line], { claims, numbers: [number] }, language)?.figures).toMatchObject([{ segmentId: 1 }])
  })

  test('is found where a caption breaks it off', () => {
    const texts = ['They counted two', 'hundred and six boats in the harbour.', 'They counted again and again.']
    const claims = ['They counted boats.', 'They counted again.', 'They counted in the harbour.'].map((text) => ({
      text,
      segment_ids: [1, 2, 3],
    }))
    const at = (value: string) =>
      check(texts, { claims, numbers: [figure(value, 'boats', 'in the harbour', 1)] })?.figures
    expect(at('206')).toMatchObject([{ segmentId: 1 }])
    expect(at('2')).toEqual([])
  })

  test('is found in a transcript in another language', () => {
    const texts = ['Der Hafen hat zweiundfünfzig Boote.', 'Er ist dreißig Meter tief.', 'Hier regnet es oft.']
    const notes = ['The harbour has 52 boats.', 'The harbour is 30 metres deep.', 'It rains there often.']
    const checked = checkForm(
      {
        headline: 'A deep harbour',
        claims: notes.map((text, index) => ({ text, segment_ids: [index + 1] })),
        numbers: [
          figure('52', 'boats', 'in the harbour', 1),
          figure('30', 'm', 'deep', 2),
          figure('31', 'm', 'deep', 2),
        ],
        comparable: false,
      },
      {
        cues: toCues(texts),
        notes: notes.map((text, index) => ({ text, segmentIds: [index + 1] })),
        spokenLanguage: 'de',
        language: 'en',
        isLeak: () => false,
        isHeadingLeak: () => false,
        isInScript: () => true,
        published: [],
      },
    )
    expect(checked?.figures.map(({ value }) => value)).toEqual(['52', '30'])
  })
})

describe('bars', () => {
  const heights = [
    figure('23', 'm', 'the lighthouse', 5),
    figure('18', 'metres', 'the old lighthouse', 7),
    figure('9', 'metres', 'the first lighthouse', 7),
  ]
  const draw = (numbers: InfographicForm['numbers'], comparable = true) =>
    check(TALK, { claims: CLAIMS, numbers, comparable })

  test('need three checked numbers of one unit that the model calls comparable', () => {
    expect(draw(heights)).toMatchObject({ isChart: true, figures: [{ amount: 23 }, { amount: 18 }, { amount: 9 }] })
    expect(draw(heights, false)?.isChart).toBe(false)
    expect(draw(heights.slice(1))?.isChart).toBe(false)
    expect(draw([...heights.slice(0, 2), figure('10', 'm', 'the third lighthouse', 7)])?.isChart).toBe(false)
    expect(draw([...heights.slice(0, 2), figure('35', '%', 'of the boats', 3)])?.isChart).toBe(false)
  })

  test('leave out numbers of other units', () => {
    const checked = draw([figure('120', '', 'boats in the harbour', 2), ...heights])
    expect(checked?.figures.map(({ amount }) => amount)).toEqual([23, 18, 9])
  })
})

describe('a form', () => {
  test('needs three claims that are supported', () => {
    expect(check(TALK, { claims: CLAIMS })?.claims).toHaveLength(3)
    expect(
      check(TALK, { claims: [...CLAIMS.slice(0, 2), { text: 'Zebras vote by mail.', segment_ids: [1] }] }),
    ).toBeNull()
    expect(
      check(TALK, {
        claims: [...CLAIMS.slice(0, 2), { ...CLAIMS[0], text: 'The harbour has 130 boats.', segment_ids: [2] }],
      }),
    ).toBeNull()
  })

  test.each([
    ['is too long', `The harbour ${'and the boats '.repeat(5)}`],
    ['says nothing of the claims', 'Zebras vote by mail'],
    ['has a number that nobody says', 'The harbour has 121 boats'],
    ['has a number in words that nobody says', 'Nine hundred boats in the harbour'],
    ['is empty', ''],
  ])('has no headline of its own if that %s', (_, headline) => {
    expect(check(TALK, { headline, claims: CLAIMS })?.headline).toBeNull()
    expect(check(TALK, { headline: 'A harbour of 120 boats', claims: CLAIMS })?.headline).toBe('A harbour of 120 boats')
  })
})

test.each([
  ['letters that stand for phrases', '\ufdfa'.repeat(9_500)],
  ['numbers', '7 1,000 '.repeat(1_200)],
])('reads long segments of %s only in part when it looks for a number', (_, filler) => {
  const cues = toCues(TALK.map((line) => `${line} ${filler}`))
  const notes = CLAIMS.map(({ text }) => ({ text, segmentIds: cues.map((_, index) => index + 1) }))
  const claims = CLAIMS.map((claim, index) => ({ ...claim, segment_ids: [index + 1] }))
  const numbers = Array.from({ length: 8 }, (_, index) => figure(`${9_001 + index}`, '', 'boats in the harbour', 1))
  const normalize = jest.spyOn(String.prototype, 'normalize')
  const isAllowed = () => true
  checkForm(
    { headline: '', claims, numbers, comparable: false },
    {
      cues,
      notes,
      spokenLanguage: 'en',
      language: 'en',
      published: [],
      isLeak: () => false,
      isHeadingLeak: isAllowed,
      isInScript: isAllowed,
    },
  )
  const folded = normalize.mock.results.reduce((sum, { value }) => sum + String(value).length, 0)
  normalize.mockRestore()
  expect(folded).toBeLessThan(2e6)
})
