import { type FormSchema, ServiceError } from '@subtext/contracts'
import { ModelCallError, type TextModelCall } from '@subtext/llm'
import { contentOf, fillForm, leaf, MEETING, quoted } from '../testing/fill-form.ts'

const FORM: FormSchema = {
  type: 'object',
  properties: {
    revenue: { type: ['number', 'null'] },
    engineers: { type: ['integer', 'null'] },
    decided_on: { type: ['string', 'null'], format: 'date' },
    decision: { type: ['string', 'null'] },
    outcome: { type: ['string', 'null'], enum: ['approved', 'rejected', null] },
    is_happy: { type: ['boolean', 'null'] },
  },
  required: ['revenue', 'engineers', 'decided_on', 'decision', 'outcome', 'is_happy'],
}

test('fills a form with values that their lines carry, and names the lines', async () => {
  const filled = await fillForm(FORM, [
    {
      revenue: leaf(452_000_000, 1),
      engineers: leaf(42, 4),
      decided_on: leaf('2024-03-05', 2),
      decision: leaf('The board rejected the merger with Northwind.', 2),
      outcome: quoted('rejected', 'rejected the merger with', 2),
      is_happy: quoted(false, 'the team was not happy', 5),
    },
  ])
  const { data, evidence, unsupported } = contentOf(filled)
  expect(data).toEqual({
    revenue: 452_000_000,
    engineers: 42,
    decided_on: '2024-03-05',
    decision: 'The board rejected the merger with Northwind.',
    outcome: 'rejected',
    is_happy: false,
  })
  expect(unsupported).toEqual([])
  expect(evidence['/engineers']).toEqual([{ segmentId: 4, startMs: 90_000, quote: MEETING[3]?.text }])
  expect(evidence['/outcome']?.[0]).toMatchObject({ segmentId: 2, quote: 'rejected the merger with' })
  expect(filled.spendings).toMatchObject([{ purpose: 'extraction', model: 'm' }])
})

test.each([
  ['a rounded number', 'revenue', leaf(450_000_000, 1)],
  ['a number of another line', 'engineers', leaf(42, 1)],
  ['a fraction for a whole number', 'engineers', leaf(2.5, 1)],
  ['another day', 'decided_on', leaf('2024-03-06', 2)],
  ['another month', 'decided_on', leaf('2024-05-05', 2)],
  ['another year', 'decided_on', leaf('2023-03-05', 2)],
  ['no date', 'decided_on', leaf('March 2024', 2)],
  ['an impossible date', 'decided_on', leaf('2024-03-35', 2)],
  ['the opposite', 'decision', leaf('The board approved the merger with Northwind.', 2)],
  ['an unknown name', 'decision', leaf('The board rejected the merger with Contoso.', 2)],
  ['words that nobody says', 'decision', leaf('unanimous vote', 2)],
  ['a value without lines', 'decision', leaf('The board rejected the merger.')],
  ['a line that does not exist', 'decision', leaf('The board rejected the merger.', 99)],
  ['a value that is no object', 'decision', 'The board rejected the merger.'],
  ['a choice without a quotation', 'outcome', leaf('rejected', 2)],
  ['a choice with an altered quotation', 'outcome', quoted('rejected', 'rejected every merger with', 2)],
  ['a choice whose lines say another one', 'outcome', quoted('approved', 'The board rejected the merger', 2)],
  ['a choice that is not in the list', 'outcome', quoted('postponed', 'The board rejected the merger', 2)],
  ['a yes with a short quotation', 'is_happy', quoted(true, 'team was', 5)],
  ['a yes that nobody quotes', 'is_happy', leaf(true, 5)],
])('leaves out %s', async (_, name, written) => {
  const { data, evidence, unsupported } = contentOf(await fillForm(FORM, [{ [name]: written }]))
  expect(data).toEqual({
    revenue: null,
    engineers: null,
    decided_on: null,
    decision: null,
    outcome: null,
    is_happy: null,
  })
  expect([evidence, unsupported]).toEqual([{}, [`/${name}`]])
})

const LIST: FormSchema = {
  type: 'object',
  properties: {
    people: {
      type: 'array',
      items: {
        type: 'object',
        properties: { 'na/me': { type: 'string' }, role: { type: 'string' }, task: { type: ['string', 'null'] } },
        required: ['na/me', 'task'],
      },
    },
    summary: { type: 'string' },
  },
  required: ['people'],
}

test('leaves out the smallest part that may be missing, and names what went', async () => {
  const { data, evidence, unsupported } = contentOf(
    await fillForm(LIST, [
      {
        people: [
          { 'na/me': leaf('Bob Klein', 3), role: leaf(null), task: leaf('send the report', 3) },
          { 'na/me': leaf('Alice Moreau', 3), role: leaf('chief astronaut', 3), task: leaf('bake a cake', 3) },
        ],
        summary: leaf('The moon is made of cheese.', 1),
      },
    ]),
  )
  expect(data).toEqual({ people: [{ 'na/me': 'Alice Moreau', task: null }] })
  expect(Object.keys(evidence)).toEqual(['/people/0/na~1me'])
  expect(unsupported.sort()).toEqual(['/people', '/people/0/role', '/people/0/task', '/summary'])
})

const REQUIRED: FormSchema = { type: 'object', properties: { topic: { type: 'string' } }, required: ['topic'] }

test('asks once more where nothing may be missing, and then gives up', async () => {
  const wrong = { topic: leaf('A flight to the moon', 1) }
  const right = { topic: leaf('Third quarter revenue rose 2.5 percent.', 1) }
  const repaired = await fillForm(REQUIRED, [wrong, right])
  expect(contentOf(repaired).data).toEqual({ topic: 'Third quarter revenue rose 2.5 percent.' })
  expect(repaired.spendings.map(({ purpose }) => purpose)).toEqual(['unusable', 'extraction'])
  const failed = await fillForm(REQUIRED, [wrong])
  expect([failed.outcome, failed.calls.length]).toEqual([{ missing: 'invalid', error: null }, 2])
})

test('asks with the schema in the text if the provider refuses it', async () => {
  const refusal = new ServiceError('SUMMARY_UNAVAILABLE', {
    retryable: false,
    cause: new ModelCallError({ outcome: 'rejected' }),
  })
  const filled = await fillForm(REQUIRED, [
    (call: TextModelCall) => {
      if (call.schema) throw refusal
      return { topic: leaf('Third quarter revenue rose 2.5 percent.', 1) }
    },
  ])
  expect(contentOf(filled).data).toEqual({ topic: 'Third quarter revenue rose 2.5 percent.' })
  expect(filled.calls[1]?.instruction).toContain('"segment_ids"')
})

test('reads a long transcript in parts: joins lists and takes the first carried value', async () => {
  const lines = Array.from({ length: 120 }, (_, index) => ({
    startMs: index * 30_000,
    durationMs: 4_000,
    text: `Station ${index + 100} reports that the harvest of barley was good in the valley this year.`,
  }))
  const form: FormSchema = {
    type: 'object',
    properties: {
      stations: { type: 'array', items: { type: 'integer' } },
      first: { type: 'integer' },
    },
    required: ['stations', 'first'],
  }
  const filled = await fillForm(
    form,
    [
      (call: TextModelCall) => {
        const id = Number(/^\[(\d+)\]/m.exec(call.document)?.[1])
        const number = leaf(id + 99, id)
        return { stations: [number, leaf(7, id)], first: id === 1 ? leaf(1, id) : number }
      },
    ],
    { lines, maxPromptTokens: 5_500 },
  )
  const { data, unsupported } = contentOf(filled)
  const { stations, first } = data as { stations: number[]; first: number }
  expect(filled.calls.length).toBeGreaterThan(1)
  expect(stations).toHaveLength(filled.calls.length)
  expect([stations[0], first]).toEqual([100, stations[1]])
  expect(unsupported).toEqual(['/stations'])
})

test('needs quotations of texts in another language', async () => {
  const form: FormSchema = { type: 'object', properties: { points: { type: 'array', items: { type: 'string' } } } }
  const { data } = contentOf(
    await fillForm(
      form,
      [
        {
          points: [
            quoted('Der Umsatz stieg um 2,5 Prozent.', 'revenue rose 2.5 percent', 1),
            quoted('Der Umsatz stieg um 3,5 Prozent.', 'revenue rose 2.5 percent', 1),
            leaf('Der Umsatz stieg.', 1),
          ],
        },
      ],
      { outputLanguage: 'de' },
    ),
  )
  expect(data).toEqual({ points: ['Der Umsatz stieg um 2,5 Prozent.'] })
})
