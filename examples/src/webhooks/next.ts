// A route handler of Next.js: save it as app/webhooks/subtext/route.ts.
import { SubtextError, verifyWebhook } from '@subtext/sdk'
import { handleEvent } from './handle-event.ts'

export async function POST(request: Request): Promise<Response> {
  try {
    const event = await verifyWebhook(
      await request.arrayBuffer(),
      request.headers,
      process.env.SUBTEXT_WEBHOOK_SECRET ?? '',
    )
    return new Response(handleEvent(event))
  } catch (error) {
    if (!(error instanceof SubtextError)) throw error
    return new Response(error.message, { status: 400 })
  }
}
