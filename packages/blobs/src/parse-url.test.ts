import { loadEnv } from '@subtext/runtime'
import { BlobEnv } from './env.ts'
import { parseBlobUrl } from './parse-url.ts'

const SECRET = 'top+hidden/value'
const CREDENTIALS = `key:${encodeURIComponent(SECRET)}`
const PARSED = { kind: 's3', region: 'us-east-1', prefix: '', accessKeyId: 'key', secretAccessKey: SECRET }

test('reads a directory, with percent-encoded characters', () => {
  expect(parseBlobUrl('file:///var/lib/my%20blobs')).toEqual({ kind: 'file', directory: '/var/lib/my blobs' })
})

test.each([
  [`s3://${CREDENTIALS}@media`, { bucketUrl: 'https://media.s3.us-east-1.amazonaws.com' }],
  [
    `s3://${CREDENTIALS}@media/a/b/?region=eu-central-1`,
    { bucketUrl: 'https://media.s3.eu-central-1.amazonaws.com', region: 'eu-central-1', prefix: 'a/b/' },
  ],
  [`s3://${CREDENTIALS}@my.media`, { bucketUrl: 'https://s3.us-east-1.amazonaws.com/my.media' }],
  [`s3://${CREDENTIALS}@media?endpoint=http://minio:9000`, { bucketUrl: 'http://minio:9000/media' }],
  [
    `s3://${CREDENTIALS}@media?endpoint=https://oss.example.org&style=virtual`,
    { bucketUrl: 'https://media.oss.example.org' },
  ],
])('reads the bucket of %s', (url, expected) => {
  expect(parseBlobUrl(url)).toEqual({ ...PARSED, ...expected })
})

test.each([
  'nonsense',
  'https://example.org',
  'file://server/share',
  'file:///directory?x=1',
  's3://media',
  's3://key@media',
  's3://key:%zz@media',
  `s3://${CREDENTIALS}@`,
  `s3://${CREDENTIALS}@-`,
  `s3://${CREDENTIALS}@media/../other%2f`,
  `s3://${CREDENTIALS}@media?regoin=x`,
  `s3://${CREDENTIALS}@media?region=EU!`,
  `s3://${CREDENTIALS}@media?style=both`,
  `s3://${CREDENTIALS}@media?endpoint=minio:9000`,
  `s3://${CREDENTIALS}@media?endpoint=https://minio/path`,
  `s3://${CREDENTIALS}@media?endpoint=https://a@minio`,
])('refuses %s at the start, without repeating it', (url) => {
  const load = () => loadEnv(BlobEnv, { BLOB_STORE_URL: url })
  expect(load).toThrow(/BLOB_STORE_URL: /)
  expect(load).not.toThrow(url)
  expect(load).not.toThrow(/hidden/)
})

test('uses a directory if nothing is set', () => {
  const directory = expect.stringMatching(/\/\.data\/blobs$/)
  expect(loadEnv(BlobEnv, {}).BLOB_STORE_URL).toEqual({ kind: 'file', directory })
})
