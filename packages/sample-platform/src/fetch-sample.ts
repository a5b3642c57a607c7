import { once } from 'node:events'
import { type PlatformContents, replyToCall } from './reply-to-call.ts'
import { findSampleVideo, LECTURES } from './samples.ts'
import { buildVisitorData } from './session-data.ts'

interface RequestOptions {
  method: string
  headers: [name: string, value: string][]
  body?: string
  signal: AbortSignal
}

let visitors = 0

const CONTENTS: PlatformContents = {
  findVideo: (id) => findSampleVideo(id ?? ''),
  findPlaylist: (id) => (id === LECTURES.playlist.id ? LECTURES.playlist : undefined),
  findChannel(idOrName) {
    const channel = LECTURES.channelAt(Date.now())
    return [channel.id, ...channel.names].includes(idOrName) ? channel : undefined
  },
  nextVisitor: () => {
    visitors += 1
    return buildVisitorData(visitors)
  },
  number: (_videoId, _visitorData, request) => ({ ...request, nth: 1, nthInSession: 1, session: 1 }),
}

/** Answers a request for the platform within this process, as `fetch` would bring the reply of the real one. */
export async function fetchSample(url: URL, { method, headers, body = '', signal }: RequestOptions): Promise<Response> {
  signal.throwIfAborted()
  const sent = new Headers(headers)
  const reply = replyToCall(CONTENTS, { method, url, header: (name) => sent.get(name), text: body })
  if (reply === 'hang') {
    await once(signal, 'abort')
    throw signal.reason
  }
  return new Response(Buffer.from(reply.body), { status: reply.status, headers: { 'content-type': reply.contentType } })
}
