import { longVideo } from '@subtext/fakes'
import { type Client, type TestSystem, watchUrl } from '@subtext/testbed'

/** The model that the settings of the system name. */
export const MODEL = 'claude-haiku-5-5'

export type SummaryJobs = ReturnType<typeof createSummaryJobs>

/** Returns functions that tests use to summarize new videos with the client. */
export function createSummaryJobs(system: TestSystem, client: Client) {
  /** Adds a video that no other test has summarized. Twenty minutes are enough for a call of each mode. */
  const newVideo = (hours = 1 / 3): string => system.addCopy(longVideo({ id: 'sbtx-faults', hours })).id

  async function finish(videoId: string, options: object = { summary_modes: ['tldr', 'detailed'] }) {
    const before = system.messagesApi.calls.length
    const jobId = await client.submit({ url: watchUrl(videoId), options })
    const job = await client.follow(jobId)
    const { data, meta, error } = await client.get(`/videos/result/${jobId}?format=json`)
    return {
      job,
      data,
      error,
      warnings: (meta.warnings ?? []).map(({ code }) => code),
      calls: system.messagesApi.calls.slice(before),
    }
  }

  return { client, newVideo, finish }
}
