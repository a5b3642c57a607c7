import { SubtextError, verifyWebhook } from '@subtext/sdk'
import { Hono } from 'hono'
import { handleEvent } from './handle-event.ts'

/** Receives webhooks with Hono, on any runtime that it supports. */
export function createReceiver(secret: string): Hono {
  const app = new Hono()
  app.post('/webhooks/subtext', async (context) => {
    try {
      const event = await verifyWebhook(await context.req.arrayBuffer(), context.req.raw.headers, secret)
      return context.text(handleEvent(event))
    } catch (error) {
      if (!(error instanceof SubtextError)) throw error
      return context.text(error.message, 400)
    }
  })
  return app
}
