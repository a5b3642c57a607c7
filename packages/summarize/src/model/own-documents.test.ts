import { SUMMARY_MODES } from '@subtext/contracts'
import { createAnthropicModel } from '@subtext/llm'
import { openProvider, type TestProvider } from '../testing/provider.ts'
import { HOUR } from '../testing/source.ts'
import { createModelSummarizer } from './model-summarizer.ts'

const ALL = [...SUMMARY_MODES]

let provider: TestProvider
beforeEach(async () => {
  provider = await openProvider()
})
afterEach(() => provider.api.close())

test('shows no tokens that are cached because another account had sent the transcript', async () => {
  const usagesOf = ({ written }: Awaited<ReturnType<TestProvider['run']>>) =>
    written.map(({ mode, usage }) => ({ mode, ...usage })).sort((a, b) => (a.mode < b.mode ? -1 : 1))
  const first = usagesOf(await provider.run(ALL))
  const other = usagesOf(await provider.run(ALL))
  expect(provider.api.calls.slice(5).map((call) => call.cacheUse)).toEqual(Array(5).fill('read'))
  expect(other).toEqual(first)
  const again = usagesOf(await provider.run(ALL, { hasOwnCache: true }))
  expect(again.map(({ cacheWriteTokens }) => cacheWriteTokens)).toEqual(Array(5).fill(0))
  const sum = (usages: typeof first) => usages.reduce((total, { costUsd }) => total + costUsd, 0)
  expect(sum(again)).toBeLessThan(sum(first))
})

test.each([[['tldr']], [['detailed']]] as const)(
  'a single summary, %j, is not written to the cache, which nothing would read',
  async (modes) => {
    const { written } = await provider.run([...modes])
    const [{ usage } = { usage: undefined }] = written
    expect(usage).toMatchObject({ cacheWriteTokens: 0, cachedInputTokens: 0 })
    expect(provider.api.calls.map((call) => call.cacheUse)).toEqual(['none'])
  },
)

test('a single summary reads what earlier ones of the account keep in the cache', async () => {
  await provider.run(ALL)
  const { written } = await provider.run(['tldr'], { hasOwnCache: true })
  expect(written[0]?.usage.cachedInputTokens).toBeGreaterThan(0)
  expect(provider.api.calls.at(-1)?.cacheUse).toBe('read')
})

test('knows which transcripts are certainly read in parts', () => {
  const model = createAnthropicModel({ apiKey: 'k', baseUrl: provider.api.baseUrl, model: 'claude-haiku-5-5' })
  const { readsInParts } = createModelSummarizer(model, { maxPromptTokens: 20_000 })
  expect(readsInParts?.(HOUR.cues)).toBe(false)
  expect(readsInParts?.(Array.from({ length: 10 }, () => HOUR.cues).flat())).toBe(true)
})
