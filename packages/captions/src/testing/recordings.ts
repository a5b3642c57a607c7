import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { recordedAnswersFolder } from './env.ts'

const BESIDE_THE_REPOSITORY = '../../../../shared/fixtures/youtube'

const folder = (): string =>
  recordedAnswersFolder() ?? resolve(fileURLToPath(new URL('.', import.meta.url)), BESIDE_THE_REPOSITORY)

export interface Recording {
  name: string
  text: string
}

/**
 * Answers recorded from the video platform, which are nobody's to give away and so no part of the repository: those below
 * `TEST_YOUTUBE_RECORDINGS`, else in a folder beside the repository; none where neither is there.
 */
export const readRecordings = (kind: string): Recording[] => {
  const place = join(folder(), kind)
  if (!existsSync(place)) return []
  return readdirSync(place, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => ({ name, text: readFileSync(join(place, name), 'utf8') }))
}
