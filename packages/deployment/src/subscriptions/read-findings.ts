import type { Db } from '@subtext/db'

export interface Findings {
  videos: number
  /** Videos that have no item although their channel has shown them. */
  missed: number
  /** Items with more than one event, or with none although they have ended. */
  toldWrong: number
  /** Items that say neither that they were told of nor why not. */
  unexplained: number
  items: Record<string, number>
}

const ITEMS = `SELECT i.video_id AS "videoId", i.state, i.reason, i.ended_at IS NOT NULL AS "isEnded",
    (SELECT count(*)::int FROM webhook_events e WHERE e.subject_id = i.id) AS events
  FROM subscription_items i WHERE i.subscription_id = $1`

interface Item {
  videoId: string
  state: string
  reason: string | null
  isEnded: boolean
  events: number
}

/** Compares the items of subscriptions with what their channels have shown. */
export async function readFindings(
  db: Db,
  subscriptions: readonly { subscriptionId: string; channelId: string }[],
  expected: readonly { channelId: string; videoIds: readonly string[] }[],
): Promise<Findings> {
  const findings: Findings = { videos: 0, missed: 0, toldWrong: 0, unexplained: 0, items: {} }
  for (const { videoIds } of expected) findings.videos += videoIds.length
  for (const { subscriptionId, channelId } of subscriptions) {
    const { rows } = await db.query<Item>(ITEMS, [subscriptionId])
    const seen = new Set(rows.map(({ videoId }) => videoId))
    const shown = expected.find((channel) => channel.channelId === channelId)?.videoIds ?? []
    findings.missed += shown.filter((id) => !seen.has(id)).length
    for (const { state, reason, isEnded, events } of rows) {
      const name = reason === null ? state : `${state}: ${reason}`
      findings.items[name] = (findings.items[name] ?? 0) + 1
      if (events !== (isEnded ? 1 : 0)) findings.toldWrong++
      if (state !== 'notified' && reason === null) findings.unexplained++
    }
  }
  return findings
}
