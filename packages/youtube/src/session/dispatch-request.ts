import { createBrotliDecompress, createGunzip } from 'node:zlib'
import { Agent, type Dispatcher, errors } from 'undici'

interface PlatformRequestOptions {
  method: string
  headers: [name: string, value: string][]
  body: string | undefined
  dispatcher: Dispatcher | undefined
  redirect: 'manual'
  signal: AbortSignal
  /** The body need not be read further than to the first chunk beyond this. */
  maxBytes: number
}

interface PlatformReply {
  status: number
  /** Names in lower case. */
  headers: Iterable<[name: string, value: string]>
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array> | null
}

/** The parts of `fetch` that an exchange needs. */
export type PlatformFetch = (url: URL, options: PlatformRequestOptions) => Promise<PlatformReply>

interface RawReply {
  status: number
  headers: [name: string, value: string][]
  body: Buffer[]
}

const ENCODINGS = 'gzip, br'
const DECODED_CHUNK_BYTES = 128 * 1024
const DECODERS: Record<string, typeof createGunzip> = {
  gzip: createGunzip,
  br: (options) => createBrotliDecompress(options),
}

let agent: Agent | undefined

/** Returns the agent for requests that use no proxy. */
const directAgent = (): Agent => {
  agent ??= new Agent()
  return agent
}

const exchange = (url: URL, options: PlatformRequestOptions): Promise<RawReply> =>
  new Promise((resolve, reject) => {
    const { method, headers, body, dispatcher = directAgent(), signal, maxBytes } = options
    const reply: RawReply = { status: 0, headers: [], body: [] }
    let bytes = 0
    let current: Dispatcher.DispatchController | undefined
    const onAbort = (): void => {
      reject(signal.reason)
      current?.abort(signal.reason)
    }
    const end = (): void => {
      signal.removeEventListener('abort', onAbort)
      resolve(reply)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    const path = url.pathname + url.search
    const sent = [...headers, ['accept-encoding', ENCODINGS]].flat()
    dispatcher.dispatch(
      { origin: url.origin, path, method, headers: sent, body },
      {
        onRequestStart(controller) {
          current = controller
          if (signal.aborted) controller.abort(signal.reason)
        },
        onResponseStart(_, status, received) {
          reply.status = status
          reply.headers = Object.entries(received).map(([name, value]) => [name, String(value)])
        },
        onResponseData(controller, chunk) {
          reply.body.push(chunk)
          bytes += chunk.byteLength
          if (bytes <= maxBytes) return
          end()
          controller.abort(new errors.RequestAbortedError())
        },
        onResponseEnd: end,
        onResponseError(_, error) {
          signal.removeEventListener('abort', onAbort)
          reject(error)
        },
      },
    )
  })

const decode = (body: Buffer[], encoding = 'identity'): PlatformReply['body'] => {
  if (encoding === 'identity' || body.length === 0) return body
  const createDecoder = DECODERS[encoding]
  if (!createDecoder) throw new TypeError(`The response has an unknown encoding: ${encoding.slice(0, 100)}`)
  // A stream, so that the reader of a small body that expands to a large one can stop.
  return createDecoder({ chunkSize: DECODED_CHUNK_BYTES }).end(Buffer.concat(body))
}

/**
 * Sends a request and returns its response, like `fetch` at a fraction of its cost: without web streams and the checks that a
 * browser needs. Rejects with the reason of the signal.
 */
export const dispatchRequest: PlatformFetch = async (url, options) => {
  options.signal.throwIfAborted()
  const { status, headers, body } = await exchange(url, options)
  const encoding = headers.find(([name]) => name === 'content-encoding')?.[1].toLowerCase()
  return { status, headers, body: decode(body, encoding) }
}
