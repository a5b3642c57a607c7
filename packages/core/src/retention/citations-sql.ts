import type { Sql } from '@subtext/db'
import { removeFromDigests } from '../digests/index.ts'

const WARNING = JSON.stringify({
  code: 'CITED_VIDEO_DELETED',
  message: 'What this took from a video is gone, because its job was deleted.',
})

const isGone = (citations: string): string =>
  `EXISTS (SELECT FROM jsonb_array_elements(${citations}) c WHERE coalesce(c #>> '{video,jobId}', c ->> 'jobId') = ANY ($1::text[]))`

// A sentence that cites a deleted video goes as a whole, because it says what was said there.
const CLEAN_ANSWERS = `
UPDATE chat_exchanges e SET
  answer = jsonb_set(jsonb_set(answer, '{parts}', coalesce((
    SELECT jsonb_agg(part ORDER BY nth) FROM jsonb_array_elements(answer -> 'parts') WITH ORDINALITY AS p(part, nth)
    WHERE NOT ${isGone(`part -> 'citations'`)}
  ), '[]')), '{warnings}', CASE WHEN (answer -> 'warnings') @> '[${WARNING}]' THEN answer -> 'warnings'
    ELSE (answer -> 'warnings') || '[${WARNING}]' END),
  cited_jobs = ARRAY(SELECT unnest(cited_jobs) EXCEPT SELECT unnest($1::text[])::uuid)
WHERE cited_jobs && $1::text[]::uuid[] AND answer IS NOT NULL`

const FIND_GONE =
  'SELECT g.id FROM unnest($1::uuid[]) g(id) WHERE NOT EXISTS (SELECT FROM jobs j WHERE j.id = g.id OFFSET 0)'

/**
 * Removes what stored digests and answers about many videos say of those of these jobs that are gone. Belongs in the transaction that has
 * deleted them.
 */
export async function removeCitations(sql: Sql, jobIds: readonly string[]): Promise<void> {
  const gone = (await sql.query<{ id: string }>(FIND_GONE, [jobIds])).rows.map(({ id }) => id)
  if (gone.length === 0) return
  await sql.query(CLEAN_ANSWERS, [gone])
  await removeFromDigests(sql, gone)
}
