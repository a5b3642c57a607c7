import { resolve } from 'node:path'
import { z } from 'zod'
import { type BlobLocation, BlobUrlError, parseBlobUrl } from './parse-url.ts'

/** Below the working directory of the process. */
const DEFAULT_DIRECTORY = '.data/blobs'

const blobUrl = z.string().transform((text, issue): BlobLocation => {
  try {
    return parseBlobUrl(text)
  } catch (error) {
    if (!(error instanceof BlobUrlError)) throw error
    issue.addIssue(error.message)
    return z.NEVER
  }
})

/** Settings of the processes that store files. */
export const BlobEnv = z.object({
  BLOB_STORE_URL: blobUrl
    .optional()
    .transform((location): BlobLocation => location ?? { kind: 'file', directory: resolve(DEFAULT_DIRECTORY) })
    .describe(
      'Where all processes keep documents (PDFs and infographics) and thumbnails: a directory as file:///path, or a bucket as s3://KEY:SECRET@bucket/prefix?endpoint=https://...&region=.... Default: .data/blobs below the working directory of the process; `npm start` uses the folder blobs in its data directory.',
    ),
})
