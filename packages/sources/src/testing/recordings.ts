import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { sourceRecordingsFolder } from './env.ts'

const BESIDE_THE_REPOSITORY = '../../../../../shared/fixtures/sources'

/** The right reading of an entry. */
export interface ExpectedEntry {
  id: string
  kind: string
  title?: string | null
  seconds?: number | null
  badges?: string[]
  published?: string
  wasLive?: boolean
}

/** The right reading of an answer. Its parts depend on what was asked for. */
export interface Expected {
  http?: number
  request?: { body?: { continuation?: string } }
  reading?: Record<string, unknown>
  entries?: ExpectedEntry[] | number
  continuationTokens?: string[]
  single?: boolean
  id?: string
  kind?: string
  title?: string
  seconds?: number | null
  badges?: string[]
  unavailable?: Record<string, string>
}

export interface SourceRecording {
  /** As `playlist/huge_p1.json`. */
  name: string
  text: string
  expected: Expected
}

const folder = (): string =>
  sourceRecordingsFolder() ?? resolve(fileURLToPath(new URL('.', import.meta.url)), BESIDE_THE_REPOSITORY)

const readText = (path: string): string =>
  (path.endsWith('.gz') ? gunzipSync(readFileSync(path)) : readFileSync(path)).toString('utf8')

/**
 * Reads answers of the platform about playlists and channels, with their right readings. We may not redistribute them, so they are
 * not part of the repository: they are read from `TEST_SOURCE_RECORDINGS`, or else from a folder beside the repository. Returns
 * none if neither exists.
 */
export function readSourceRecordings(): SourceRecording[] {
  const place = folder()
  if (!existsSync(place)) return []
  return readdirSync(place, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'expected')
    .flatMap(({ name: kind }) => readdirSync(join(place, kind)).map((file) => ({ kind, file })))
    .map(({ kind, file }) => {
      const name = `${kind}/${file.replace(/\.gz$/, '')}`
      const reading = join(place, 'expected', kind, `${file.replace(/\.gz$/, '').replace(/\.\w+$/, '')}.json`)
      return { name, text: readText(join(place, kind, file)), expected: JSON.parse(readText(reading)) }
    })
}
