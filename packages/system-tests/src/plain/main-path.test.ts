import { DefaultResult, type JobResult, SUMMARY_MODES, type SummaryMode } from '@subtext/contracts'
import { SAMPLE_TALKS, SAMPLE_VIDEOS } from '@subtext/fakes'
import { findViolations, useClient, watchUrl } from '@subtext/testbed'
import type { z } from 'zod'
import { isPooled, usePlainSystem } from './use-plain-system.ts'

type Markdown = z.infer<typeof DefaultResult>
type Talk = keyof typeof SAMPLE_TALKS

const system = usePlainSystem()
const client = useClient(system, { scopes: ['admin'] })

async function finish(request: object) {
  const jobId = await client.submit(request)
  const job = await client.follow(jobId)
  expect(job).toMatchObject({ status: 'completed', progress_percentage: 100, current_step: 'completed' })
  const { data, meta } = await client.get<Markdown>(`/videos/result/${jobId}`)
  return { jobId, result: DefaultResult.parse(data), warnings: (meta.warnings ?? []).map(({ code }) => code) }
}

describe('a talk in each of nine languages', () => {
  const taken: Record<Talk, [language: string, kind: string, reason: string]> = {
    english: ['en', 'manual', 'manual_spoken_language'],
    spanish: ['es', 'manual', 'manual_spoken_language'],
    french: ['fr', 'manual', 'manual_spoken_language'],
    german: ['de', 'manual', 'manual_platform_default'],
    portuguese: ['pt', 'manual', 'manual_spoken_language'],
    japanese: ['ja', 'manual', 'manual_spoken_language'],
    korean: ['ko', 'auto', 'auto_spoken_language'],
    chinese: ['zh-Hans', 'manual', 'manual_spoken_language'],
    hindi: ['hi', 'manual', 'manual_spoken_language'],
  }

  test.each(Object.entries(taken))(
    '%s has five summaries and its whole transcript',
    async (name, [language, kind, reason]) => {
      const talk = system.addCopy(SAMPLE_TALKS[name as Talk])
      const { result, warnings } = await finish({
        url: watchUrl(talk.id),
        options: { summary_modes: SUMMARY_MODES },
      })

      expect(result.video_info).toMatchObject({
        video_id: talk.id,
        title: talk.title,
        duration_seconds: talk.lengthSeconds,
      })
      expect(result.transcript).toMatchObject({ language, kind, selection_reason: reason, truncated: false })
      const cues = talk.tracks.find((track) => track.language === language)?.cues() ?? []
      const lastWords =
        cues
          .at(-1)
          ?.text.match(/[\p{L}\p{M}]+/gu)
          ?.at(-1) ?? ''
      expect(lastWords.length).toBeGreaterThan(0)
      expect(result.transcript.text).toContain(lastWords)

      expect(Object.keys(result.summaries)).toEqual([...SUMMARY_MODES])
      for (const mode of SUMMARY_MODES) expect(result.summaries[mode]?.length).toBeGreaterThan(60)
      expect(new Set(Object.values(result.summaries)).size).toBe(SUMMARY_MODES.length)
      expect(result.usage).toMatchObject({ model: 'extractive', total_tokens: 0, cost_usd: 0 })
      expect(warnings).toEqual(['EXTRACTIVE_SUMMARY'])
    },
  )
})

describe('the caption track', () => {
  test.each([
    ['english', 'de', 'de', 'manual', 'manual_exact_language'],
    ['english', 'en-US', 'en', 'manual', 'manual_language_variant'],
    ['portuguese', 'pt', 'pt', 'manual', 'manual_exact_language'],
    ['chinese', 'zh', 'zh-Hans', 'manual', 'manual_language_variant'],
    ['korean', 'ko-KR', 'ko', 'auto', 'auto_language_variant'],
  ] as const)('of the %s talk, asked for in %s, is %s (%s)', async (name, asked, language, kind, reason) => {
    const { result, warnings } = await finish({
      url: watchUrl(SAMPLE_TALKS[name].id),
      options: { language: asked },
    })
    expect(result.transcript).toMatchObject({ language, kind, selection_reason: reason })
    expect(warnings).not.toContain('LANGUAGE_NOT_AVAILABLE')
  })

  test('for a language that the video lacks is chosen as without it, with a warning', async () => {
    const { result, warnings } = await finish({
      url: watchUrl(SAMPLE_TALKS.german.id),
      options: { language: 'ja' },
    })
    expect(result.transcript).toMatchObject({ language: 'de', selection_reason: 'manual_platform_default' })
    expect(warnings).toContain('LANGUAGE_NOT_AVAILABLE')
  })
})

describe('a platform that makes difficulties', () => {
  test.each([
    'botCheckAtFirst',
    'botCheckFirstSession',
    'refusesAndroid',
    'decoyForAndroid',
    'gatedForAndroid',
  ] as const)('does not prevent a result (%s)', async (name) => {
    const { result } = await finish({ url: watchUrl(SAMPLE_VIDEOS[name].id) })
    expect(result.video_info).toMatchObject({ video_id: SAMPLE_VIDEOS[name].id, title: SAMPLE_VIDEOS[name].title })
    expect(result.transcript.text.length).toBeGreaterThan(100)
  })
})

describe('a request', () => {
  test('may use older names, with a warning in the answer', async () => {
    const answer = await client.trySubmit({
      video_url: watchUrl(SAMPLE_TALKS.french.id),
      summary_type: 'key_insights',
      client_reference: 'order 7',
    })
    expect(answer.status).toBe(202)
    expect(answer.headers.get('deprecation')).toMatch(/^@\d+$/)
    expect(answer.meta.warnings?.map(({ code }) => code)).toEqual(['DEPRECATED_FIELD', 'DEPRECATED_FIELD'])
    await client.follow(answer.data.job_id)
    const { data } = await client.get<z.infer<typeof JobResult>>(`/videos/result/${answer.data.job_id}`)
    expect(Object.keys(data.summaries) as SummaryMode[]).toEqual(['key_insights'])
    expect(data.client_reference).toBe('order 7')
  })

  test('may limit the transcript, which is cut between two cues', async () => {
    const limit = 500
    const { result, warnings } = await finish({
      url: watchUrl(SAMPLE_TALKS.english.id),
      options: { max_transcript_length: limit },
    })
    expect(result.transcript.truncated).toBe(true)
    expect(Buffer.byteLength(result.transcript.text)).toBeLessThanOrEqual(limit + 20)
    expect(warnings).toContain('TRANSCRIPT_TRUNCATED')
  })

  test('for a video with a hostile title keeps the words and removes what reverses text', async () => {
    const { result } = await finish({ url: watchUrl(SAMPLE_VIDEOS.hostile.id) })
    expect(SAMPLE_VIDEOS.hostile.title).toMatch(/\p{Bidi_Control}/u)
    expect(result.video_info.title).not.toMatch(/\p{Bidi_Control}/u)
    expect(result.video_info.title).toContain('=1+1')
  })
})

test('the main path leaves every invariant intact', async () => {
  expect(await findViolations(system)).toEqual({})
})

const testPooled = isPooled ? test : test.skip
testPooled('the main path leads through PgBouncer (needs pgbouncer 1.21)', async () => {
  expect(await system.pgBouncer.countTransactions()).toBeGreaterThan(100)
  expect(await system.readLogs()).not.toMatch(/prepared statement|startup parameter/)
})
