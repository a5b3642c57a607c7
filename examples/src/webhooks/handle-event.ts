import type { WebhookEvent } from '@subtext/sdk'

const seen = new Set<string>()

/**
 * Does the work that an event asks for. A delivery may come twice, so remember the IDs of events: here in memory, in a real
 * application in its database, in the same transaction as the work.
 */
export function handleEvent(event: WebhookEvent): string {
  if (seen.has(event.id)) return 'known already'
  seen.add(event.id)
  switch (event.event) {
    case 'job.completed':
      return `${event.data.video_info.title}: ${event.data.summaries.tldr?.text ?? 'no summary'}`
    case 'job.failed':
      return `${event.data.video_url}: ${event.data.error.message}`
    case 'batch.completed':
      return `${event.data.summary_stats.successful} of ${event.data.summary_stats.total} videos are done`
    default:
      return 'nothing to do'
  }
}
