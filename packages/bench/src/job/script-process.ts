import { createHmac } from 'node:crypto'
import type { Cue, Summary } from '@subtext/contracts'
import { createExtractiveSummarizer } from '@subtext/summarize'
import { newSource } from '@subtext/summarize/testing'
import pg from 'pg'
import { YoutubeTranscript } from 'youtube-transcript'
import { handleCalls } from '../child-process.ts'
import { fetchFrom } from '../extraction-peers.ts'

export interface ScriptOptions {
  platformOrigin: string
  databaseUrl: string
  receiver: string
  videoIds: string[]
}

const SECRET = 'whsec_script'
const summarizer = createExtractiveSummarizer()
let pool: pg.Pool | undefined

async function summarize(cues: Cue[]): Promise<Summary[]> {
  const summaries: Summary[] = []
  const unwritten = await summarizer.summarize(newSource(cues, { kind: 'auto' }), ['tldr'], {
    signal: new AbortController().signal,
    onSummary: async (summary) => void summaries.push(summary),
    onSpending: async () => {},
  })
  if (unwritten[0]) throw unwritten[0].error
  return summaries
}

/** What a plain script does for one video after another: no queue, no retries, no accounts. */
async function run({ platformOrigin, databaseUrl, receiver, videoIds }: ScriptOptions): Promise<void> {
  pool ??= new pg.Pool({ connectionString: databaseUrl, max: 1 })
  const options = { lang: 'en', fetch: fetchFrom(platformOrigin) }
  for (const videoId of videoIds) {
    const lines = await YoutubeTranscript.fetchTranscript(videoId, options)
    const cues = lines.map(({ offset, duration, text }) => ({ startMs: offset, durationMs: duration, text }))
    const [summary] = await summarize(cues)
    const texts = [JSON.stringify(cues), JSON.stringify(summary)]
    await pool.query('INSERT INTO scripts (video_id, transcript, summary) VALUES ($1, $2, $3)', [videoId, ...texts])
    const body = JSON.stringify({ videoId, transcript: cues, summary })
    const signature = createHmac('sha256', SECRET).update(body).digest('hex')
    const headers = { 'content-type': 'application/json', 'x-webhook-signature': `sha256=${signature}` }
    const response = await fetch(receiver, { method: 'POST', headers, body })
    if (!response.ok) throw new Error(`The receiver responded with ${response.status}.`)
  }
}

handleCalls({ run })
