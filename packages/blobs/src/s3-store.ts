import { createHash } from 'node:crypto'
import { withTimeout } from '@subtext/runtime'
import { AwsClient } from 'aws4fetch'
import type { BlobStore } from './blob-store.ts'
import type { BlobLocation } from './parse-url.ts'

/** Timeout of a request including its retries. */
const TIMEOUT_MS = 30_000
const RETRIES = 3
const FIRST_PAUSE_MS = 100
/** The beginning of a reply that says why a request was refused. */
const MAX_REASON_LENGTH = 300
/** Several times the largest file. */
const MAX_BYTES = 64 * 1024 * 1024
/** Content type of a proxy's own replies. No file has this type. */
const PAGE = /^text\/html\b/i

type S3Location = Extract<BlobLocation, { kind: 's3' }>

/** Keeps files in a bucket of any server that speaks the protocol of S3. */
export function createS3Store({ bucketUrl, prefix, region, ...credentials }: S3Location): BlobStore {
  const client = new AwsClient({ ...credentials, region, service: 's3', retries: RETRIES, initRetryMs: FIRST_PAUSE_MS })
  const send = (method: string, key: string, init: RequestInit = {}): Promise<Reply> =>
    withTimeout(TIMEOUT_MS, undefined, async (signal) => {
      // No file is sent to another server than the one that was named.
      const options: RequestInit = { ...init, method, signal, redirect: 'manual' }
      const request = () => client.fetch(`${bucketUrl}/${prefix}${key}`, options)
      // The server may have closed an idle connection in the same moment. Every request may be repeated.
      const response = await request().catch((error: unknown) => {
        if (signal.aborted) throw error
        return request()
      })
      const body = await readBody(response)
      if (!response.ok && response.status !== 404) throw refusal(response.status, body)
      // A bucket that does not exist must not look like a file that does not.
      if (response.status === 404 && body.includes('NoSuchBucket')) throw refusal(response.status, body)
      return { status: response.status, body, type: response.headers.get('content-type') ?? '' }
    })
  return {
    async put(key, bytes, contentType) {
      const headers = {
        'content-type': contentType,
        'x-amz-content-sha256': createHash('sha256').update(bytes).digest('hex'),
      }
      const { status, body } = await send('PUT', key, { headers, body: bytes as Uint8Array<ArrayBuffer> })
      if (status === 404) throw refusal(status, body)
    },
    async get(key) {
      const { status, body, type } = await send('GET', key)
      if (status === 404) return null
      if (status !== 200 || PAGE.test(type)) throw refusal(status, body)
      return body
    },
    async exists(key) {
      const { status } = await send('HEAD', key)
      return status !== 404
    },
    async delete(key) {
      await send('DELETE', key)
    },
  }
}

interface Reply {
  status: number
  body: Buffer
  /** Content type. */
  type: string
}

async function readBody({ body }: Response): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of body ?? []) {
    length += part.length
    if (length > MAX_BYTES) throw new Error('The reply is too large.')
    parts.push(part)
  }
  return Buffer.concat(parts)
}

const refusal = (status: number, body: Buffer): Error =>
  new Error(`${status} ${body.toString('utf8', 0, MAX_REASON_LENGTH)}`.trim())
