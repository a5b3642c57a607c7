import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { type PlatformCall, replyToCall } from '@subtext/sample-platform/protocol'
import { describeCall } from './describe-call.ts'
import type { PlatformOutcome } from './fault-plan.ts'
import type { PlatformState } from './platform-state.ts'

/** Creates the server of a platform. It answers requests for all hosts of the real one, as its state says. */
export const createPlatformServer = (state: PlatformState): Server =>
  createServer((request, response) => {
    // A client that leaves in the middle of its request gets no reply.
    serve(state, request, response).catch(() => response.destroy())
  })

async function serve(state: PlatformState, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const call = await readCall(request)
  const record = describeCall(call)
  response.on('finish', () => {
    record.status = response.statusCode
  })
  const outcome = state.faults.takeOutcome(record)
  const delayMs = state.faults.delayOf(record)
  state.record(record)
  if (delayMs > 0) await sleep(delayMs)
  await state.faults.untilReleased(record)
  if (outcome !== null) return failRequest(response, outcome)
  const reply = replyToCall(state, call)
  if (reply !== 'hang') response.writeHead(reply.status, { 'content-type': reply.contentType }).end(reply.body)
}

async function readCall(request: IncomingMessage): Promise<PlatformCall> {
  return {
    method: request.method ?? 'GET',
    url: new URL(request.url ?? '/', 'http://platform.invalid'),
    header: (name) => {
      const value = request.headers[name]
      return (Array.isArray(value) ? value[0] : value) ?? null
    },
    text: await text(request),
  }
}

function failRequest(response: ServerResponse, outcome: PlatformOutcome): void {
  if (outcome === 'hang') return
  if (outcome === 'reset') {
    response.destroy()
    return
  }
  const contentType = outcome.contentType ?? 'text/html; charset=utf-8'
  response.writeHead(outcome.status, { 'content-type': contentType, ...outcome.headers }).end(outcome.body)
}
