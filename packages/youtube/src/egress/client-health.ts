import type { ClientName } from '../clients.ts'

/** Tracks which clients get replies through one egress. */
export interface ClientHealth {
  /** Records that the platform has answered the client about a video. */
  answered(client: ClientName): void
  /** Records that the platform has turned the client away, even if other clients get replies. */
  refused(client: ClientName, videoId: string): void
  /** Returns the clients with those at the end that have been turned away for several videos in a row. */
  sort(clients: readonly ClientName[]): ClientName[]
}

/** A single unusual video must not change the order for all others. */
const VIDEOS_TO_DEMOTE = 3
/** After this time, a client is asked in its usual place again, since the platform may have changed its mind. */
const DEMOTION_MS = 10 * 60_000

interface Refusals {
  videos: Set<string>
  refusedAt: number
}

/**
 * Creates the record of an egress. It saves each job a request to an app that the platform has retired, and lets a job that
 * tries a resting egress begin with apps that have not been turned away there.
 */
export const createClientHealth = (now: () => number = Date.now): ClientHealth => {
  const records = new Map<ClientName, Refusals>()
  const isDemoted = (client: ClientName): boolean => {
    const record = records.get(client)
    return record !== undefined && record.videos.size >= VIDEOS_TO_DEMOTE && now() - record.refusedAt < DEMOTION_MS
  }
  return {
    answered: (client) => void records.delete(client),
    refused(client, videoId) {
      const { videos } = records.get(client) ?? { videos: new Set<string>() }
      if (videos.size < VIDEOS_TO_DEMOTE) videos.add(videoId)
      records.set(client, { videos, refusedAt: now() })
    },
    sort: (clients) => [...clients.filter((client) => !isDemoted(client)), ...clients.filter(isDemoted)],
  }
}
