import {
  LEGACY_FIELDS,
  PRIORITIES,
  SUMMARY_MODES,
  type SubmitVideo,
  TrackPreference,
  type VideoOptions,
} from '@subtext/contracts'
import { anyCharacter, anyWebUrl } from '@subtext/runtime/testing'
import fc from 'fast-check'

const URL_FORMS = [
  (id: string) => `https://www.youtube.com/watch?v=${id}`,
  (id: string) => `http://m.youtube.com/watch?list=PL1&v=${id}&t=10s`,
  (id: string) => `youtu.be/${id}?si=abc`,
  (id: string) => `https://youtube.com/shorts/${id}/`,
  (id: string) => `https://music.youtube.com/live/${id}#x`,
  (id: string) => id,
  (id: string) => `www.youtube-nocookie.com/embed/${id}?start=3`,
]

/** Forms of a URL, and the bare ID. */
const videoUrl = fc
  .tuple(fc.stringMatching(/^[A-Za-z0-9_-]{11}$/), fc.constantFrom(...URL_FORMS))
  .map(([id, write]) => write(id))

/** Text that PostgreSQL can store. */
const storable = (maxLength: number, minLength = 0) =>
  fc
    .string({ unit: anyCharacter, minLength, maxLength })
    .filter((value) => !value.includes('\u0000') && value.isWellFormed())

const language = fc.constantFrom('en', 'pt-BR', 'zh-Hans', 'es-419', 'DE')

const OPTIONS = {
  max_transcript_length: fc.integer({ min: 1, max: 10_000_000 }),
  include_comments: fc.boolean(),
  language,
  track_preference: fc.constantFrom(...TrackPreference.options),
  summary_modes: fc.array(fc.constantFrom(...SUMMARY_MODES), { maxLength: 8 }),
  output_language: language,
  generate_infographic: fc.boolean(),
  max_cost_usd: fc.double({ min: 0, max: 1_000_000, noNaN: true }),
  templates: fc.uniqueArray(fc.constantFrom('quotes', 'chapters@1', 'flashcards'), { minLength: 1 }),
} satisfies Record<keyof VideoOptions, fc.Arbitrary<unknown>>

const BODY = {
  url: videoUrl,
  // A picture needs a summary.
  options: fc
    .record(OPTIONS, { requiredKeys: [] })
    .map((options) => (options.summary_modes?.length === 0 ? { ...options, generate_infographic: false } : options)),
  webhook_url: anyWebUrl('https'),
  priority: fc.constantFrom(...PRIORITIES),
  custom_instructions: storable(200, 1).filter((value) => value.trim() !== ''),
  use_proxy: fc.constantFrom(false, null),
  force_refresh: fc.boolean(),
  service_name: storable(255),
  agent_name: storable(255),
  client_reference: storable(255),
} satisfies Record<Exclude<keyof SubmitVideo, 'source'>, fc.Arbitrary<unknown>>

/** A valid body, with any combination of its optional fields. */
export const validBody = fc.record(BODY, { requiredKeys: ['url'] })

const HOSTILE_NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '',
  '\u0000',
  '0',
  'length',
]

const FIELDS = [
  ...Object.keys(BODY),
  ...Object.keys(OPTIONS).map((option) => `options.${option}`),
  ...Object.keys(LEGACY_FIELDS),
]

const anyUrl = fc.oneof(
  videoUrl,
  anyWebUrl('http', 'https', 'ftp', 'javascript', 'file'),
  fc.constantFrom(
    'http://[::1]/',
    'http://2130706433/',
    'http://0x7f.1/',
    'https://u:p@example.org/',
    'http://169.254.169.254/',
    'https://example.org:99999/',
    'https://\ud800/',
    'https://xn--/',
    '//youtu.be/dQw4w9WgXcQ',
    `https://youtu.be/${'a'.repeat(3_000)}`,
  ),
)

export const anyValue = fc.oneof(
  anyUrl,
  fc.anything({ withNullPrototype: false, maxDepth: 3 }),
  fc.string({ unit: anyCharacter }),
  // Unpaired surrogates, control characters and NUL, which break some parsers.
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 }).map((units) => String.fromCharCode(...units)),
  fc.constantFrom(null, '', ' ', 0, -0, -1, 1.5, 2 ** 53, 1e308, true, [], {}, [[]], 'x'.repeat(3_000)),
)

const fieldName = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...FIELDS) },
  { weight: 1, arbitrary: fc.constantFrom(...HOSTILE_NAMES) },
  { weight: 1, arbitrary: fc.string() },
)

/** A field, given by its path, and its new value. */
const change = fc.tuple(fieldName, anyValue)

function setField(target: Record<string, unknown>, path: string, value: unknown): void {
  const [first = '', second] = path.split('.', 2)
  const inner = target[first]
  if (second !== undefined && typeof inner === 'object' && inner !== null) {
    setField(inner as Record<string, unknown>, second, value)
  } else Object.defineProperty(target, first, { value, enumerable: true, configurable: true, writable: true })
}

/** A valid body with some fields changed to anything. */
export const mutatedBody = fc
  .tuple(validBody, fc.array(change, { minLength: 1, maxLength: 4 }))
  .map(([body, changes]) => {
    const changed = structuredClone(body) as Record<string, unknown>
    for (const [path, value] of changes) setField(changed, path, value)
    return changed
  })

const RAW_VALUES = [
  '1e999',
  '-1e999',
  '1e-999',
  '9'.repeat(400),
  '"\\ud800"',
  '"\\u0000"',
  '"\\udc00\\ud800"',
  '{"__proto__":{"url":"x"}}',
  '{"a":1,"a":2}',
  '['.repeat(30) + ']'.repeat(30),
  '['.repeat(5_000),
  'NaN',
  'undefined',
  "'x'",
  '',
]

/** JSON text that no serializer writes: duplicate fields, numbers out of range, escaped unpaired surrogates, and worse. */
const craftedText = fc
  .array(
    fc.tuple(fc.constantFrom(...FIELDS, ...HOSTILE_NAMES), fc.constantFrom(...RAW_VALUES, '"tldr"', 'null', '{}')),
    {
      maxLength: 6,
    },
  )
  .map((fields) => fields.map(([name, value]) => `${JSON.stringify(name.replace('options.', ''))}:${value}`))
  .map((fields) => `{"url":"https://youtu.be/dQw4w9WgXcQ"${fields.map((field) => `,${field}`).join('')}}`)

/** Valid JSON with a part replaced by other bytes. */
const brokenText = fc
  .tuple(validBody, fc.nat(400), fc.nat(20), fc.uint8Array({ maxLength: 10 }))
  .map(([body, at, length, bytes]) => {
    const json = Buffer.from(JSON.stringify(body))
    return Buffer.concat([json.subarray(0, at), bytes, json.subarray(at + length)])
  })

export const rawBody = fc.oneof(
  craftedText.map((text) => Buffer.from(text)),
  brokenText,
  fc.json().map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 2_000 }).map((bytes) => Buffer.from(bytes)),
)
