import { createHash } from 'node:crypto'
import { type ServiceError, validationError } from '@subtext/contracts'
import type { Actor } from '../context.ts'
import type { UsagePlace } from './receipts-sql.ts'

const VERSION = 1
const CONTENT_BYTES = 41
const CHECK_BYTES = 8
/** The last time that fits into a `Date`. */
const MAX_TIME = 8_640_000_000_000_000n
const NO_MESSAGE = '0'.repeat(32)

const checkOf = ({ userId, apiKeyId }: Actor, content: Uint8Array): Buffer =>
  createHash('sha256').update(`receipts ${userId} ${apiKeyId} `).update(content).digest().subarray(0, CHECK_BYTES)

/**
 * Returns the cursor of a place in the receipts of the calling key, like the cursors of other lists: the version, time, job and
 * message, and a checksum that catches mistakes and protects nothing.
 */
export function encodeReceiptCursor(actor: Actor, { at, jobId, messageId }: UsagePlace): string {
  const content = Buffer.alloc(CONTENT_BYTES)
  content.writeUInt8(VERSION, 0)
  content.writeBigUInt64BE(BigInt(at.getTime()), 1)
  content.write(jobId.replaceAll('-', ''), 9, 'hex')
  content.write((messageId ?? '').replaceAll('-', ''), 25, 'hex')
  return Buffer.concat([content, checkOf(actor, content)]).toString('base64url')
}

/** Returns the place that a cursor names. Error: `VALIDATION_ERROR` for a text that is not a cursor of this key. */
export function decodeReceiptCursor(actor: Actor, cursor: string): UsagePlace {
  const bytes = Buffer.from(cursor, 'base64url')
  const content = bytes.subarray(0, CONTENT_BYTES)
  const isOurs =
    bytes.length === CONTENT_BYTES + CHECK_BYTES &&
    bytes.toString('base64url') === cursor &&
    bytes.subarray(CONTENT_BYTES).equals(checkOf(actor, content)) &&
    content[0] === VERSION &&
    content.readBigUInt64BE(1) <= MAX_TIME
  if (!isOurs) throw badCursor()
  const messageId = content.toString('hex', 25, 41)
  return {
    at: new Date(Number(content.readBigUInt64BE(1))),
    jobId: content.toString('hex', 9, 25),
    messageId: messageId === NO_MESSAGE ? null : messageId,
  }
}

const badCursor = (): ServiceError =>
  validationError([{ path: 'query.cursor', message: 'Must be a `next_cursor` of this list.', code: 'invalid_cursor' }])
