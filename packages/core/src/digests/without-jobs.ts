import { WARNINGS } from '@subtext/contracts'
import type { Sql } from '@subtext/db'
import { type DigestContent, lockDigestsCiting, replaceDigestContent, type StoredDigestPoint } from './digests-sql.ts'

const TITLE_WORDS = 6
const MIN_LETTERS = 4

const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).filter((word) => word.length >= MIN_LETTERS)

/** A heading may consist of words that only a deleted video has said. */
function renameTheme(title: string, points: readonly StoredDigestPoint[]): string {
  const said = new Set(points.flatMap(({ text }) => wordsOf(text)))
  if (wordsOf(title).every((word) => said.has(word))) return title
  const words = (points[0]?.text ?? '').split(' ')
  return words.length > TITLE_WORDS ? `${words.slice(0, TITLE_WORDS).join(' ')} …` : words.join(' ')
}

/** Returns a digest without anything that some videos say. */
export function withoutJobs(content: DigestContent, gone: ReadonlySet<string>): DigestContent {
  const isLeft = ({ citations }: StoredDigestPoint): boolean => citations.every(({ jobId }) => !gone.has(jobId))
  const themes = content.themes.flatMap(({ title, points }) => {
    const left = points.filter(isLeft)
    if (left.length === points.length) return [{ title, points }]
    return left.length > 0 ? [{ title: renameTheme(title, left), points: left }] : []
  })
  return {
    ...content,
    themes,
    disagreements: content.disagreements.filter(({ positions }) => positions.every(isLeft)),
    videos: content.videos.filter(({ jobId }) => !gone.has(jobId)),
    warnings: [
      ...content.warnings.filter(({ code }) => code !== 'CITED_VIDEO_DELETED'),
      { code: 'CITED_VIDEO_DELETED', message: WARNINGS.CITED_VIDEO_DELETED },
    ],
  }
}

/** Removes what digests have of deleted jobs. Belongs in the transaction that has deleted them. */
export async function removeFromDigests(sql: Sql, jobIds: readonly string[]): Promise<void> {
  const gone = new Set(jobIds)
  for (const { id, content } of await lockDigestsCiting(sql, jobIds)) {
    await replaceDigestContent(sql, id, withoutJobs(content, gone))
  }
}
