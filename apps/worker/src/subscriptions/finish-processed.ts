import { listPoints, type SubscriptionMatchMoment } from '@subtext/contracts'
import type { Actor } from '@subtext/core/context'
import { buildInfographicUrl } from '@subtext/core/infographics'
import { type FinishedJob, getResult } from '@subtext/core/jobs'
import {
  type ClaimedItem,
  describeItem,
  endAndTell,
  type ItemEvents,
  toldOf,
  writeEvent,
} from '@subtext/core/subscriptions'
import { newEnvelope, toEvent, type WebhookEvent } from '@subtext/core/webhooks'
import { RENDERERS, streamJson, writeJson } from '@subtext/render'
import { findMoments } from './find-moments.ts'
import type { ItemContext } from './item-context.ts'

type EventType = 'subscription.video' | 'subscription.matched'

/** Ends an item whose job has completed: looks for its words, and tells of it with its result. */
export async function finishProcessed(ctx: ItemContext, item: ClaimedItem, signal: AbortSignal): Promise<void> {
  const actor: Actor = { userId: item.userId, apiKeyId: item.apiKeyId, plan: item.plan, scopes: [] }
  const finished = await getResult(ctx, actor, item.jobId ?? '')
  const matches = item.match ? await findMoments(finished, item.match, signal) : null
  const ended = {
    state: 'processed',
    reason: null,
    jobId: item.jobId,
    title: finished.description.videoInfo.title || item.title,
    summary: summarize(finished),
    matches,
  } as const
  const types: EventType[] =
    matches && matches.length > 0 ? ['subscription.video', 'subscription.matched'] : ['subscription.video']
  const events: ItemEvents = async (told) => {
    const written: WebhookEvent[] = []
    for (const type of types) written.push(await write(ctx, { type, item, finished, matches }, told))
    return written
  }
  if (await endAndTell(ctx, item, ended, events)) ctx.itemWorked({ state: 'processed' })
}

/** The points of the shortest summary, as one text. */
function summarize({ description }: FinishedJob): string | null {
  const summary = description.summaries.find(({ mode }) => mode === 'tldr') ?? description.summaries[0]
  if (!summary) return null
  return listPoints(summary.content)
    .map(({ text }) => text)
    .join(' ')
}

interface Written {
  type: EventType
  item: ClaimedItem
  finished: FinishedJob
  matches: SubscriptionMatchMoment[] | null
}

/** Writes an event with the result, as for `format=json`; or the message that a chat takes. */
async function write(
  ctx: ItemContext,
  { type, item, finished, matches }: Written,
  ended: Parameters<ItemEvents>[0],
): Promise<WebhookEvent> {
  const told = toldOf(item)
  const shown = { ...ended, matches: type === 'subscription.matched' ? matches : null }
  if (told.webhookFormat !== 'event') return writeEvent(told, type, { data: {}, item: shown, now: ctx.clock() })
  const { description, infographic } = finished
  const result = RENDERERS.json.render({
    ...description,
    infographic: infographic && {
      url: buildInfographicUrl(ctx.publicBaseUrl, infographic, ctx.clock()),
      altText: infographic.altText,
    },
  })
  const envelope = newEnvelope(type, ctx.clock())
  const data = {
    ...describeItem(told, ended),
    ...(shown.matches && { matches: shown.matches }),
    result: streamJson(result),
  }
  const body: Buffer[] = []
  for await (const piece of writeJson({ ...envelope, data })) body.push(Buffer.from(piece))
  return toEvent(envelope, Buffer.concat(body))
}
