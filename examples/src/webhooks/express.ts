import { SubtextError, verifyWebhook } from '@subtext/sdk'
import express from 'express'
import { handleEvent } from './handle-event.ts'

/** Receives webhooks with Express. The body must stay as it arrived, so no parser for JSON may come first. */
export function createReceiver(secret: string): express.Express {
  const app = express()
  app.post('/webhooks/subtext', express.raw({ type: 'application/json', limit: '50mb' }), async (request, response) => {
    try {
      const event = await verifyWebhook(request.body, request.headers, secret)
      response.send(handleEvent(event))
    } catch (error) {
      if (!(error instanceof SubtextError)) throw error
      response.status(400).send(error.message)
    }
  })
  return app
}
