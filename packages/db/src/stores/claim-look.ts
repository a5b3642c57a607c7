import type { LeaseRequest } from './leases.ts'
import { LOOKED_COLUMNS, type LookedRow, leaseKeyOfVideo, toLookup, type VideoLookup } from './videos.ts'

/** What a claim found out about the video of the job. */
export interface ClaimLook extends Omit<VideoLookup, 'lease'> {
  /** The lease on fetching the video, if the claim acquired it. Null if another holder has it, or the video is new enough. */
  lease: LeaseRequest | null
}

/**
 * The statement that claims a job by `claimed`, an UPDATE that returns `CLAIMED_COLUMNS`, and looks for its video. Unless that
 * was fetched at or after the time in `notBefore` or, if the job asks for a refresh, after its submission, acquires the lease
 * on fetching it, with the token of the job and for as long. It waits for no other holder: a lease that has ended a moment ago
 * is left to `findVideoOrAcquire`. A job whose worker has died acquires none, since it may only be failed. The token is cast,
 * because a test of the fencing gives `jobs.lease_token` another type.
 */
export const claimAndLook = (claimed: string, notBefore: string, more = ''): string => `
WITH claimed AS (${claimed}), known AS (
  SELECT info, tracks, fetched_at FROM videos WHERE id = (SELECT "videoId" FROM claimed)
), lease AS (
  INSERT INTO leases (key, token, until)
  SELECT ${leaseKeyOfVideo('"videoId"')}, $2::text::uuid, now() + make_interval(secs => $3) FROM claimed
  WHERE "derivedFrom" IS NULL AND deaths = 0
    AND NOT EXISTS (SELECT FROM known WHERE fetched_at >= CASE WHEN "forceRefresh" THEN "createdAt" ELSE ${notBefore} END)
    AND NOT EXISTS (SELECT FROM leases WHERE key = ${leaseKeyOfVideo('claimed."videoId"')})
  ON CONFLICT (key) DO NOTHING
  RETURNING key
)${more}`

/** What a statement made by `claimAndLook` returns besides the job. */
export const LOOK_COLUMNS = `${LOOKED_COLUMNS('claimed."videoId"')}, (SELECT key FROM lease) AS "leaseKey"`

export type LookRow = LookedRow & { leaseKey: string | null }

export function readLook(row: LookRow, token: string, seconds: number): ClaimLook {
  const { leaseKey } = row
  return { ...toLookup(row), lease: leaseKey === null ? null : { key: leaseKey, token, seconds } }
}
