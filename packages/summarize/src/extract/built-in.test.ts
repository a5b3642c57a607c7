import { BUILT_IN_TEMPLATES } from '@subtext/contracts'
import { createExtractiveSummarizer } from '../extractive/extractive-summarizer.ts'
import { contentOf, type Filled, fillForm, leaf, MEETING } from '../testing/fill-form.ts'
import { newSource } from '../testing/source.ts'
import { createExtractor } from './extractor.ts'

describe('built-in templates', () => {
  test('quotes are word for word', async () => {
    const quotes = [
      { quote: leaf('the board rejected the merger with northwind', 2), speaker: leaf('Bob', 2) },
      { quote: leaf('The board rejected each merger with Northwind', 2), speaker: leaf(null) },
    ]
    const { data, unsupported } = contentOf(await fillForm('quotes', [{ quotes }]))
    expect(data).toEqual({ quotes: [{ quote: 'The board rejected the merger with Northwind' }] })
    expect(unsupported.sort()).toEqual(['/quotes', '/quotes/0/speaker'])
  })

  test('chapters have the times of their lines, and the first one starts at 0', async () => {
    const chapters = [{ title: leaf('Forty-two engineers hired', 4) }, { title: leaf('The merger is rejected', 2) }]
    const filled = await fillForm('chapters', [{ chapters }])
    expect(contentOf(filled).data).toEqual({
      chapters: [
        { title: 'The merger is rejected', start: 0 },
        { title: 'Forty-two engineers hired', start: 90 },
      ],
    })
    expect(JSON.stringify(filled.calls[0]?.schema)).not.toContain('start')
  })

  test('a card needs an answer that is carried and a question about it', async () => {
    const cards = [
      { question: leaf('How many engineers were hired?', 4), answer: leaf('We hired forty-two engineers.', 4) },
      { question: leaf('How many dogs bark?', 4), answer: leaf('We hired forty-two engineers.', 4) },
      { question: leaf('How many engineers were hired?', 4), answer: leaf('We hired fifty engineers.', 4) },
      { question: leaf('Did Contoso hire engineers?', 4), answer: leaf('We hired forty-two engineers.', 4) },
    ]
    const { data } = contentOf(await fillForm('flashcards', [{ cards }]))
    expect(data).toEqual({
      cards: [{ question: 'How many engineers were hired?', answer: 'We hired forty-two engineers.' }],
    })
  })

  test('quotes and chapters are filled without a model, the others are not', async () => {
    const extractor = createExtractor({ extractive: createExtractiveSummarizer(), model: null })
    const outcomes = await Promise.all(
      (['quotes', 'chapters', 'action_items', 'flashcards'] as const).map((name) =>
        extractor.extract(
          newSource(MEETING),
          { name, isBuiltIn: true, instructions: null, schema: BUILT_IN_TEMPLATES[name].schema },
          { signal: new AbortController().signal, onSpending: async () => {} },
        ),
      ),
    )
    const [quotes, chapters, ...others] = outcomes
    const said = MEETING.map(({ text }) => text).join(' ')
    const { data } = contentOf({ outcome: quotes } as Filled) as { data: { quotes: { quote: string }[] } }
    expect(data.quotes.length).toBeGreaterThan(0)
    for (const { quote } of data.quotes) expect(said).toContain(quote)
    expect(contentOf({ outcome: chapters } as Filled).data).toMatchObject({
      chapters: MEETING.map(({ startMs }) => ({ start: startMs / 1_000 })),
    })
    expect(others).toEqual([
      { missing: 'model-required', error: null },
      { missing: 'model-required', error: null },
    ])
  })
})
