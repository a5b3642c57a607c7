import { ServiceError } from '@subtext/contracts'
import { OAuthError } from '@subtext/core/oauth'
import express, { type Request, type Response } from 'express'

const MAX_BYTES = 16_384
const FORM = 'application/x-www-form-urlencoded'
const readText = express.text({ type: FORM, limit: MAX_BYTES, inflate: false })

/** Returns the body of a form as it was sent. Throws `OAuthError` for anything else, and `PAYLOAD_TOO_LARGE`. */
export async function readForm(request: Request, response: Response): Promise<string> {
  if (!request.is(FORM)) throw new OAuthError('invalid_request', `Send the parameters as ${FORM}.`)
  await new Promise<void>((resolve, reject) => {
    readText(request, response, (error?: unknown) => {
      if (!error) return resolve()
      const { type } = error as { type?: unknown }
      if (type === 'entity.too.large') {
        return reject(new ServiceError('PAYLOAD_TOO_LARGE', { details: { limit_bytes: MAX_BYTES } }))
      }
      reject(new OAuthError('invalid_request', 'The body could not be read.'))
    })
  })
  return typeof request.body === 'string' ? request.body : ''
}
