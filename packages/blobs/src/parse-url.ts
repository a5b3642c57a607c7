import { fileURLToPath } from 'node:url'

/** Where files are stored. */
export type BlobLocation =
  | { kind: 'file'; directory: string }
  | {
      kind: 's3'
      /** URL of the bucket, without a slash at the end. */
      bucketUrl: string
      /** Prefix of all keys: empty, or with a slash at the end. */
      prefix: string
      region: string
      accessKeyId: string
      secretAccessKey: string
    }

const DEFAULT_REGION = 'us-east-1'
const BUCKET = /^[A-Za-z0-9][\w.-]{1,62}$/
const REGION = /^[a-z0-9-]{1,40}$/
const PREFIX = /^[\w.-]+(?:\/[\w.-]+)*$/
const PARAMETERS = ['endpoint', 'region', 'style']

/** Thrown for a URL that names no place to store files. The message never repeats the URL, which may hold a secret. */
export class BlobUrlError extends Error {}

/** Parses `file:///directory` or `s3://KEY:SECRET@bucket/prefix?endpoint=...&region=...&style=...`. Throws `BlobUrlError`. */
export function parseBlobUrl(text: string): BlobLocation {
  if (!URL.canParse(text)) throw new BlobUrlError('Must be a URL such as file:///directory or s3://key:secret@bucket.')
  const url = new URL(text)
  if (url.protocol === 'file:') return parseFileUrl(url)
  if (url.protocol === 's3:') return parseS3Url(url)
  throw new BlobUrlError('Must begin with file: or s3:.')
}

function parseFileUrl(url: URL): BlobLocation {
  if (url.host !== '' || url.search !== '' || url.hash !== '') {
    throw new BlobUrlError('A directory is written as file:///path, with three slashes.')
  }
  try {
    return { kind: 'file', directory: fileURLToPath(url) }
  } catch {
    throw new BlobUrlError('The path of the directory is not valid.')
  }
}

function parseS3Url(url: URL): BlobLocation {
  const bucket = url.host
  if (!BUCKET.test(bucket)) throw new BlobUrlError('The name of the bucket is not valid.')
  const unknown = [...url.searchParams.keys()].find((name) => !PARAMETERS.includes(name))
  if (unknown !== undefined) throw new BlobUrlError(`Takes the parameters ${PARAMETERS.join(', ')}.`)
  const region = url.searchParams.get('region') ?? DEFAULT_REGION
  if (!REGION.test(region)) throw new BlobUrlError('The region is not valid.')
  const prefix = url.pathname.replace(/^\//, '').replace(/\/$/, '')
  if (prefix !== '' && (!PREFIX.test(prefix) || prefix.split('/').some((part) => /^\.+$/.test(part)))) {
    throw new BlobUrlError('The prefix may consist of letters, digits, "_", "-", "." and "/".')
  }
  return {
    kind: 's3',
    bucketUrl: buildBucketUrl(bucket, region, url.searchParams),
    prefix: prefix === '' ? '' : `${prefix}/`,
    region,
    accessKeyId: readCredential(url.username),
    secretAccessKey: readCredential(url.password),
  }
}

/** Self-hosted servers usually address buckets by path, AWS by host name. */
function buildBucketUrl(bucket: string, region: string, parameters: URLSearchParams): string {
  const endpoint = parameters.get('endpoint')
  const style = parameters.get('style') ?? (endpoint === null && !bucket.includes('.') ? 'virtual' : 'path')
  const server = endpoint ?? `https://s3.${region}.amazonaws.com`
  if (style !== 'path' && style !== 'virtual') throw new BlobUrlError('The style is `path` or `virtual`.')
  if (!/^https?:\/\/[^/?#@]+\/?$/.test(server) || !URL.canParse(server)) {
    throw new BlobUrlError('The endpoint is an origin such as https://s3.example.org.')
  }
  const { protocol, host } = new URL(server)
  return style === 'virtual' ? `${protocol}//${bucket}.${host}` : `${protocol}//${host}/${bucket}`
}

function readCredential(text: string): string {
  try {
    const credential = decodeURIComponent(text)
    if (credential !== '') return credential
  } catch {
    // Not percent-encoded correctly.
  }
  throw new BlobUrlError('Credentials are written as s3://KEY:SECRET@bucket, with / and + as %2F and %2B.')
}
