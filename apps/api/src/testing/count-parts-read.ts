import { createApp } from '../app.ts'
import type { RunningServer } from '../server.ts'
import type { TestApi } from './api.ts'

export interface CountingServer extends RunningServer {
  /** How many statements have read parts of transcripts. */
  partsRead: number
}

/** Serves the API, and counts how often it reads parts of transcripts. */
export async function serveCounting(api: TestApi): Promise<CountingServer> {
  const { db } = api.context
  const countingDb: typeof db = {
    ...db,
    query: (text, values) => {
      if (text.includes('transcript_parts')) counting.partsRead++
      return db.query(text, values)
    },
  }
  const server = await api.serve(createApp({ ...api.context, db: countingDb }))
  const counting = { ...server, partsRead: 0 }
  return counting
}
