import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { strToU8, zipSync } from 'fflate'

/** A document of a pretended library. */
export interface TestDocument {
  videoId: string
  text: string
  name?: string
  completedAt?: string
}

/** Returns a note with the hash that the service writes into it. */
export function buildNote(text: string): string {
  const hash = createHash('sha256').update(`---\ntitle: "T"\n---\n\n${text}`).digest('hex')
  return `---\ntitle: "T"\nsubtext_hash: "${hash}"\n---\n\n${text}`
}

/** Returns an archive as the service exports it. */
export const buildArchive = (documents: TestDocument[]): Uint8Array =>
  zipSync(
    Object.fromEntries(
      documents.map(({ videoId, text, name = `${videoId}.md`, completedAt = '2026-01-01T00:00:00.000Z' }) => {
        const comment = JSON.stringify({ video_id: videoId, job_id: `job-${videoId}`, completed_at: completedAt })
        return [name, [strToU8(text), { comment }]]
      }),
    ),
  )

/** Responds with an archive. */
export function archive(documents: TestDocument[]): (response: ServerResponse) => void {
  const bytes = buildArchive(documents)
  const headers = { 'Content-Type': 'application/zip', 'X-RateLimit-Limit': '3000' }
  return (response) => void response.writeHead(200, headers).end(bytes)
}
