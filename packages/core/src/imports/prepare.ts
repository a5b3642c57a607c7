import { createHmac } from 'node:crypto'
import {
  type CaptionTrack,
  type Cue,
  type ImportSource,
  MAX_CAPTIONS_BYTES,
  ServiceError,
  type VideoInfo,
} from '@subtext/contracts'
import type { Sql } from '@subtext/db'
import { v7 as newId } from 'uuid'
import type { Context } from '../context.ts'
import type { ImportedRecording } from '../jobs/job-row.ts'
import { type NewTranscript, saveTranscript } from '../transcripts/index.ts'
import { deleteImported, obtainImportKey } from './imports-sql.ts'

/** Captions as they were read. */
export interface ReadImport {
  cues: Cue[]
  /** BCP-47; `und` if it is neither said nor detected. */
  language: string
  /** Identifies the captions as they were sent. */
  digest: string
}

/** Who waits for captions to be read. */
export interface ImportCaller {
  account: string
  /** Aborts when the caller disconnects. */
  signal: AbortSignal
}

/** Reads captions. Rejects with `CAPTIONS_UNREADABLE`, or with `SERVICE_UNAVAILABLE` if too many are being read. */
export type ReadImportedCaptions = (source: ImportSource, caller: ImportCaller) => Promise<ReadImport>

/** What begins the ID of an import. The IDs of videos are shorter. */
const PREFIX = 'imp-'
const ID_LENGTH = 16

/** Returns an ID from which nobody without the key can conclude anything about title or captions. */
const buildImportId = (key: Buffer, title: string, digest: string): string =>
  PREFIX +
  createHmac('sha256', key)
    .update(JSON.stringify([title, digest]))
    .digest('base64url')
    .slice(0, ID_LENGTH)

export interface PreparedImport {
  videoId: string
  videoUrl: string
  imported: ImportedRecording
  transcript: NewTranscript
}

const buildTrack = (language: string): CaptionTrack => ({
  key: 'import',
  language,
  kind: 'manual',
  name: 'Imported captions',
  isDefault: true,
})

function describeRecording(source: ImportSource, { cues }: ReadImport, video: { id: string; url: string }): VideoInfo {
  const endMs = cues.reduce((end, { startMs, durationMs }) => Math.max(end, startMs + durationMs), 0)
  return {
    video_id: video.id,
    url: video.url,
    title: source.title,
    channel: { id: '', name: source.channel_name ?? '', url: '' },
    description: '',
    published_at: source.published_at ?? null,
    duration_seconds: endMs / 1_000,
    thumbnail_url: '',
    language: null,
    is_live_archive: false,
    chapters: [],
    source: { kind: 'import' },
  }
}

/** Refuses captions that are too large, with the path of those of a batch. */
export function assertCaptionsFit({ captions }: ImportSource): void {
  if (Buffer.byteLength(captions) <= MAX_CAPTIONS_BYTES) return
  throw new ServiceError('PAYLOAD_TOO_LARGE', {
    message: 'The captions are too large. Send at most 10 MB.',
    details: { limit_bytes: MAX_CAPTIONS_BYTES },
  })
}

/** Returns what the job of an import is accepted with. `read`: its captions. */
export async function prepareImport(
  { db, publicBaseUrl }: Pick<Context, 'db'> & { publicBaseUrl: string },
  { userId, jobId }: { userId: string; jobId: string },
  source: ImportSource,
  read: ReadImport,
): Promise<PreparedImport> {
  const videoId = buildImportId(await obtainImportKey(db, userId), source.title, read.digest)
  const videoUrl = source.media_url ?? `${publicBaseUrl}/jobs/${jobId}`
  const transcript: NewTranscript = {
    id: newId(),
    videoId,
    track: buildTrack(read.language),
    cues: read.cues,
    ownerId: userId,
  }
  const info = describeRecording(source, read, { id: videoId, url: videoUrl })
  return { videoId, videoUrl, imported: { transcriptId: transcript.id, info }, transcript }
}

/** Stores the transcripts of imports while `accept` accepts their jobs, and deletes them if it does not. */
export async function acceptWith<T>(
  sql: Sql,
  imports: readonly PreparedImport[],
  accept: () => Promise<T>,
): Promise<T> {
  const ids = imports.map(({ transcript }) => transcript.id)
  try {
    for (const { transcript } of imports) await saveTranscript(sql, transcript)
    return await accept()
  } catch (error) {
    if (ids.length > 0 && error instanceof ServiceError) await deleteImported(sql, ids)
    throw error
  }
}
