import { listPoints } from '@subtext/contracts'
import { createQuoteFinder } from '@subtext/evidence'
import { LIGHTHOUSE, linesOf, quoteFrom, segmentOf } from '@subtext/evidence/testing'
import { openKnownProvider, type TestProvider } from '../testing/provider.ts'
import { TESTED_SERVERS } from '../testing/servers.ts'
import { newLighthouse, newSource, newTalk } from '../testing/source.ts'

const LANGUAGES = Object.keys(LIGHTHOUSE).filter((language) => language !== 'th')
const PAIRS = LANGUAGES.flatMap((spoken) =>
  LANGUAGES.filter((written) => written !== spoken).map((written): [string, string] => [spoken, written]),
)

describe.each(TESTED_SERVERS)('translations by $name', (server) => {
  const isLarge = server.contextTokens === undefined
  const testLarge = isLarge ? test : test.skip
  const testCaching = isLarge && server.isCaching ? test : test.skip

  let provider: TestProvider
  beforeAll(async () => {
    provider = await openKnownProvider(server)
  })
  afterAll(() => provider.api.close())
  beforeEach(() => provider.api.forgetFaults())

  interface Entry {
    text: string
    citations: { segment_id: number; quote: string }[]
  }
  const cite = (line: number, quote: string) => ({ segment_id: segmentOf(line), quote })
  const pointsIn = (overview: Entry[], points: Entry[]) =>
    JSON.stringify({ detailed: [{ overview, sections: [{ heading: '1811', points }] }] })

  test.each(PAIRS)(
    '%s summarized in %s: shows only what is quoted word for word, and cites only that',
    async (spoken, written) => {
      const source = newLighthouse(spoken, written)
      const said = linesOf(spoken)
      const claims = linesOf(written)
      const [first = '', second = '', third = ''] = said
      const claim = (index: number, citations: Entry['citations']): Entry => ({ text: claims[index] ?? '', citations })
      const honest = [claim(0, [cite(0, quoteFrom(first))]), claim(1, [cite(1, second)])]
      const answer = pointsIn(honest, [
        // One quotation is right; the other is in another segment.
        claim(2, [cite(2, quoteFrom(third)), cite(0, quoteFrom(third))]),
        // None of these is right.
        { text: `${claims[3]} 1`, citations: [cite(3, claims[3] ?? '')] },
        { text: `${claims[3]} 2`, citations: [cite(3, quoteFrom(first))] },
        { text: `${claims[3]} 3`, citations: [cite(3, '')] },
        { text: `${claims[3]} 4`, citations: [] },
        { text: `${claims[3]} 5`, citations: [{ segment_id: 999_999, quote: quoteFrom(first) }] },
      ])
      // Enough is left for a summary.
      const padded = JSON.parse(answer)
      padded.detailed[0].overview.push(...honest, ...honest)
      provider.api.failNext({ kind: 'answer', text: JSON.stringify(padded) })
      const {
        written: [summary],
        unusable,
      } = await provider.run(['detailed'], { source })

      expect(unusable).toEqual([])
      const points = summary ? listPoints(summary.content) : []
      expect(new Set(points.map(({ text }) => text))).toEqual(new Set(claims.slice(0, 3)))
      const find = createQuoteFinder(source.cues)
      for (const { text, segmentIds } of points) {
        const line = claims.indexOf(text)
        expect(segmentIds).toEqual([segmentOf(line)])
        expect(segmentIds.every((id) => find(id, quoteFrom(said[line] ?? '')).includes(id))).toBe(true)
      }
    },
  )

  test('asks for quotations only where the summary is in another language than the captions', async () => {
    const { cues } = newSource(newTalk(isLarge ? 300 : 40))
    const sent = async (outputLanguage: string | null) => {
      const before = provider.api.calls.length
      await provider.run(['tldr'], { source: newSource(cues, { outputLanguage }) })
      return provider.api.calls.slice(before).map(({ instruction, body }) => ({
        instruction: /quotation/.test(instruction),
        schema: /\\?"quote\\?"/.test(JSON.stringify(body)),
      }))
    }
    expect(await sent(null)).toEqual([{ instruction: false, schema: false }])
    expect(await sent('en-GB')).toEqual([{ instruction: false, schema: false }])
    expect(await sent('de')).toEqual([{ instruction: true, schema: true }])
  })

  testCaching('shares a cached prefix among all translations, whose schema has quotations', async () => {
    const before = provider.api.calls.length
    for (const outputLanguage of [null, 'de', 'fr']) {
      await provider.run(['tldr'], { source: newSource(newTalk(1_200), { outputLanguage }), hasOwnCache: true })
    }
    const uses = provider.api.calls.slice(before).map(({ cacheUse }) => cacheUse)
    expect(uses).toEqual(['write', 'write', 'read'])
  })

  test('counts the quotations that were found as supported citations', async () => {
    const { written } = await provider.run(['tldr', 'detailed'], {
      source: newSource(newTalk(900), { outputLanguage: 'de' }),
    })
    expect(written).toHaveLength(2)
    for (const { quality } of written) {
      expect(quality?.supportedCitations).toBeGreaterThan(0)
      expect(quality?.supportedCitations).toBe(quality?.citations)
    }
  })

  test('quotes lines for notes on parts, and compares summaries with the notes, each by itself', async () => {
    const source = newSource(newTalk(1_500), { outputLanguage: 'de' })
    const { written, unwritten } = await provider.run(['detailed'], { source, maxPromptTokens: 10_000 })
    expect(unwritten).toEqual([])
    const isQuoting = provider.api.calls.map(({ body }) => /\\?"quote\\?"/.test(JSON.stringify(body)))
    expect(isQuoting.at(-1)).toBe(false)
    expect(written[0]?.quality).toMatchObject({ strategy: 'map_reduce' })
    const { cues } = source
    for (const { text, segmentIds } of written.flatMap(({ content }) => listPoints(content))) {
      const subjects = text.match(/Entry \d+/g) ?? []
      expect(segmentIds.length).toBeGreaterThan(0)
      expect(segmentIds.some((id) => subjects.some((subject) => cues[id - 1]?.text.includes(`${subject}:`)))).toBe(true)
    }
  })

  testLarge('drops the notes that share no word with the claim that cites them', async () => {
    const source = newSource(newTalk(1_500), { outputLanguage: 'de' })
    const note = (text: string, id: number) => ({
      text,
      citations: [{ segment_id: id, quote: source.cues[id - 1]?.text ?? '' }],
    })
    provider.api.failNext(
      {
        kind: 'answer',
        text: JSON.stringify({ notes: [note('Der Leuchtturm wird vermessen.', 2), note('Der Anker rostet.', 4)] }),
      },
      { times: 1, instructionIncludes: 'This is part 1' },
    )
    const sentences = [{ text: 'Vermessen wird der Leuchtturm.', segment_ids: [1, 2] }]
    provider.api.failNext(
      { kind: 'answer', text: JSON.stringify({ tldr: [{ sentences }] }) },
      { instructionIncludes: '"tldr"' },
    )
    const { written } = await provider.run(['tldr'], { source, maxPromptTokens: 10_000 })
    expect(written[0]?.content.overview).toEqual([{ text: 'Vermessen wird der Leuchtturm.', segmentIds: [2] }])
  })
})
