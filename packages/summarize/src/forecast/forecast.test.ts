import {
  type Cue,
  type ForecastRequest,
  type Spending,
  SUMMARY_MODES,
  type Summary,
  type SummaryMode,
  type TranscriptSize,
  type UsageSample,
} from '@subtext/contracts'
import { createCostComputer } from '@subtext/llm'
import { createExtractiveSummarizer } from '../extractive/extractive-summarizer.ts'
import { createInfographicWriter } from '../infographic/write-infographic.ts'
import type { SummarySource } from '../summarizer.ts'
import { openProvider, type TestProvider } from '../testing/provider.ts'
import { newSource } from '../testing/source.ts'
import { createForecaster } from './forecast.ts'

const limits = { maxPromptTokens: 10_000 }
const options = { model: 'claude-haiku-5-5', computeCostUsd: createCostComputer(), limits }
const TALKS = 16
const LATIN = 'abcdefghijklmnopqrstuvwxyz'
/** Letters, and the maximum number of lines: those without words are slow to check. */
const SCRIPTS: [name: string, letters: string, maxLines: number][] = [
  ['latin', LATIN, 500],
  ['accented', 'abcdeéfghiïjklmnopqrstuvwxyzñü', 500],
  ['cyrillic', 'абвгдежзиклмнопрстуфхцчшы', 500],
  ['japanese', 'あいうえおかきくけこ日本語海山川', 100],
]
const MIN_LINES = 20

/** Returns numbers from 0 to 1 that look random, the same ones for a seed (Lehmer). */
function createRandom(seed: number) {
  let state = (seed * 48_271) % 2_147_483_647
  const next = (): number => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
  for (let warmUp = 0; warmUp < 5; warmUp++) next()
  return { next, between: (low: number, high: number) => low + Math.floor(next() * (high - low + 1)) }
}

/** Builds a transcript whose words and lines are short or long, and the modes to be written. */
function buildTalk(seed: number, letters: string[], maxLines: number) {
  const { next, between } = createRandom(seed)
  const word = () => Array.from({ length: between(2, 9) }, () => letters[between(0, letters.length - 1)]).join('')
  const words = between(3, 14)
  const cues: Cue[] = Array.from({ length: Math.round(MIN_LINES * (maxLines / MIN_LINES) ** next()) }, (_, index) => ({
    startMs: index * 3_000,
    durationMs: 2_900,
    text: Array.from({ length: Math.max(1, words + between(-2, 2)) }, word).join(' '),
  }))
  const modes = SUMMARY_MODES.filter(() => next() < 0.5)
  return { cues, modes: modes.length > 0 ? modes : (['tldr'] as SummaryMode[]) }
}

const sizeOf = (cues: Cue[]): TranscriptSize => ({
  cues: cues.length,
  characters: cues.reduce((sum, { text }) => sum + text.length, 0),
  bytes: cues.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0),
})
const request = (size: TranscriptSize, more: Partial<ForecastRequest> = {}): ForecastRequest => ({
  size: { low: size, expected: size, high: size },
  modes: ['tldr'],
  instructions: null,
  cached: 'no',
  hasNotes: false,
  infographic: null,
  ...more,
})

describe('the cost of summaries', () => {
  let provider: TestProvider
  let titles = 0
  beforeAll(async () => {
    provider = await openProvider()
  })
  afterAll(() => provider.api.close())

  interface Outcome {
    isWithin: boolean
    width: number
    /** Expected by actual cost. */
    error: number
  }

  interface Talk {
    size: TranscriptSize
    modes: SummaryMode[]
    written: Summary[]
    spendings: Spending[]
    /** What an infographic of the summaries cost. */
    drawn: Spending[]
  }

  const talksByScript = new Map<string, Promise<Talk[]>>()

  /** Summarizes talks one after the other, once for all tests, and draws their infographics. */
  function writeTalks(letters: string, maxLines: number): Promise<Talk[]> {
    const talks = talksByScript.get(letters) ?? write()
    talksByScript.set(letters, talks)
    return talks

    async function write(): Promise<Talk[]> {
      const done: Talk[] = []
      for (let seed = 1; seed <= TALKS; seed++) {
        const { cues, modes } = buildTalk(seed, [...letters], maxLines)
        // A title of its own, so that the provider's cache serves no talk in place of another.
        const source = newSource(cues, { title: `Talk ${++titles}` })
        const { written, spendings } = await provider.run(modes, { source, ...limits })
        done.push({ size: sizeOf(cues), modes, written, spendings, drawn: await draw(source, written) })
      }
      return done
    }
  }

  /** Compares the cost of each talk with a forecast that knows those before. */
  async function forecastAll(
    letters: string,
    maxLines: number,
    { learns, draws = false }: { learns: boolean; draws?: boolean },
  ): Promise<Outcome[]> {
    const samples: UsageSample[] = []
    const outcomes: Outcome[] = []
    for (const { size, modes, written, drawn, ...talk } of await writeTalks(letters, maxLines)) {
      const { low, expected, high } = createForecaster(
        options,
        learns ? samples : [],
      )(request(size, { modes, infographic: draws ? modes : null })).costUsd
      const spendings = draws ? [...talk.spendings, ...drawn] : talk.spendings
      const actual = [...written, ...spendings].reduce((sum, { usage }) => sum + usage.costUsd, 0)
      outcomes.push({ isWithin: low <= actual && actual <= high, width: high / low, error: expected / actual })
      for (const { mode, usage, quality } of written) {
        const prompt = usage.inputTokens + usage.cachedInputTokens + usage.cacheWriteTokens
        const promptTokens = quality?.strategy === 'per_mode' ? prompt : null
        samples.push({ written: mode, size, promptTokens, outputTokens: usage.outputTokens })
      }
      for (const { purpose, usage } of spendings) {
        if (purpose !== 'notes' && purpose !== 'infographic') continue
        samples.push({ written: purpose, size, promptTokens: null, outputTokens: usage.outputTokens })
      }
    }
    return outcomes
  }

  /** Writes the text of an infographic, and returns what it cost. */
  async function draw(source: SummarySource, summaries: Summary[]): Promise<Spending[]> {
    const spendings: Spending[] = []
    const writer = createInfographicWriter({
      extractive: createExtractiveSummarizer(),
      model: provider.model(),
      computeCostUsd: options.computeCostUsd,
      limits,
    })
    await writer.write(source, summaries, {
      signal: new AbortController().signal,
      onSpending: async (spending) => void spendings.push(spending),
    })
    return spendings
  }
  const shareWithin = (outcomes: Outcome[]): number =>
    outcomes.filter(({ isWithin }) => isWithin).length / outcomes.length
  const medianOf = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

  test.each(SCRIPTS)('lies within the forecast range in nine of ten cases (%s)', async (_, letters, maxLines) => {
    const outcomes = await forecastAll(letters, maxLines, { learns: true })
    expect(shareWithin(outcomes)).toBeGreaterThanOrEqual(0.9)
    expect(medianOf(outcomes.map(({ width }) => width))).toBeLessThan(8)
    const error = medianOf(outcomes.slice(5).map((outcome) => outcome.error))
    expect(error).toBeGreaterThan(0.7)
    expect(error).toBeLessThan(1.4)
  })

  test('lies within the range in nine of ten cases on an installation that has written nothing yet', async () => {
    expect(shareWithin(await forecastAll(LATIN, 500, { learns: false }))).toBeGreaterThanOrEqual(0.9)
  })

  test.each(SCRIPTS)('includes an infographic in nine of ten cases (%s)', async (_, letters, maxLines) => {
    for (const learns of [true, false]) {
      expect(shareWithin(await forecastAll(letters, maxLines, { learns, draws: true }))).toBeGreaterThanOrEqual(0.9)
    }
  })
})

describe('a forecast', () => {
  const size: TranscriptSize = { cues: 1_000, characters: 40_000, bytes: 40_000 }
  const wide = { ...options, limits: { maxPromptTokens: 90_000 } }
  const costs = (more: Partial<ForecastRequest>, samples: UsageSample[] = []) =>
    createForecaster(wide, samples)(request(size, more)).costUsd

  test('orders its costs, and is zero without a summary', () => {
    const { low, expected, high } = costs({ modes: [...SUMMARY_MODES] })
    expect([low > 0, expected >= low, high >= expected]).toEqual([true, true, true])
    expect(createForecaster(wide)(request(size, { modes: [] }))).toEqual({
      costUsd: { low: 0, expected: 0, high: 0 },
      tokens: { input: 0, output: 0 },
    })
  })

  test('expects further modes to read what the first one has written to the cache', () => {
    const one = costs({ modes: ['tldr'] }).expected
    const two = costs({ modes: ['tldr', 'key_insights'] }).expected
    expect(two - one).toBeLessThan(one)
  })

  test('is lower if the provider probably has the transcript, and includes that if it may have it', () => {
    const modes: SummaryMode[] = ['tldr', 'key_insights']
    const [no, maybe, likely] = (['no', 'maybe', 'likely'] as const).map((cached) => costs({ cached, modes }))
    expect(likely?.expected).toBeLessThan(no?.expected ?? 0)
    expect([maybe?.low, maybe?.expected, maybe?.high]).toEqual([likely?.low, no?.expected, no?.high])
    expect(likely?.high).toBe(no?.high)
  })

  test('of one mode does not write to the cache, and reads it at best', () => {
    const [no, likely] = (['no', 'likely'] as const).map((cached) => costs({ cached }))
    expect(likely?.low).toBeLessThan(no?.low ?? 0)
    expect([likely?.expected, likely?.high]).toEqual([no?.expected, no?.high])
  })

  test('includes the notes on the parts of a long video, unless they exist', () => {
    const long = { cues: 20_000, characters: 800_000, bytes: 800_000 }
    const forecast = (hasNotes: boolean) => createForecaster(wide)(request(long, { hasNotes })).costUsd
    expect(forecast(true).expected).toBeLessThan(forecast(false).expected / 2)
    expect(forecast(true).high).toBe(forecast(false).high)
  })

  test('includes one call for an infographic, and in the high estimate one more to repair it', () => {
    const draw = (infographic: SummaryMode[]) => costs({ modes: [], infographic })
    const [brief, full] = [draw(['tldr']), draw([...SUMMARY_MODES])]
    expect(brief.low).toBeGreaterThan(0)
    expect(brief.expected).toBeGreaterThan(brief.low)
    expect(brief.high).toBeGreaterThan(2 * brief.expected)
    expect(full.expected).toBeGreaterThan(brief.expected)
    const both = costs({ modes: ['tldr'], infographic: ['tldr'] })
    expect(both.expected).toBeCloseTo(costs({ modes: ['tldr'] }).expected + brief.expected, 9)
  })

  test('learns from earlier usage, and becomes more certain with it', () => {
    const sample = (outputTokens: number): UsageSample => ({
      written: 'detailed',
      size,
      promptTokens: null,
      outputTokens,
    })
    const before = costs({ modes: ['detailed'] })
    const after = costs(
      { modes: ['detailed'] },
      Array.from({ length: 50 }, () => sample(9_000)),
    )
    expect(after.expected).toBeGreaterThan(2 * before.expected)
    expect(after.high / after.low).toBeLessThan(before.high / before.low)
  })

  test.each([
    ['an empty transcript', { cues: 1, characters: 0, bytes: 0 }],
    ['one that claims more characters than bytes', { cues: 10, characters: 500, bytes: 100 }],
  ])('is finite for %s', (_, odd) => {
    const samples: UsageSample[] = [{ written: 'tldr', size: odd, promptTokens: 0, outputTokens: 0 }]
    const { costUsd, tokens } = createForecaster(wide, samples)(request(odd, { modes: [...SUMMARY_MODES] }))
    for (const value of [...Object.values(costUsd), ...Object.values(tokens)]) expect(Number.isFinite(value)).toBe(true)
  })
})
