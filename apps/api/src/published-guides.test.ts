import { readdirSync, readFileSync } from 'node:fs'
import {
  BATCH_STATUSES,
  DELIVERY_STATUSES,
  describeSchedule,
  ERRORS,
  ErrorEnvelope,
  following,
  LEGACY_FIELDS,
  PLAN_NAMES,
  PLANS,
  RETRY_SCHEDULE,
  ROUTES,
  SUMMARY_MODES,
} from '@subtext/contracts'
import { RequestLimitEnv } from './env.ts'
import { MAX_BODY_BYTES, MAX_DEPTH } from './http/json-body.ts'

import { buildPublishedOpenApi } from './published-openapi.ts'

interface Schema {
  [keyword: string]: unknown
  properties?: Record<string, Schema>
  required?: string[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  enum?: string[]
  const?: string
  $ref?: string
  maxLength?: number
}

const document = JSON.parse(buildPublishedOpenApi()) as {
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>>
  webhooks: Record<string, { post: { requestBody: { content: Record<string, { schema: Schema }> } } }>
  components: { schemas: Record<string, Schema> }
}
const { schemas } = document.components

const resolve = (schema: Schema): Schema =>
  schema.$ref ? (schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema
/** Returns the properties of a schema, all of its alternatives included. */
const propertiesOf = (schema: Schema = {}): Record<string, Schema> =>
  Object.assign({}, ...(schema.oneOf ?? [schema]).map((part) => resolve(part).properties ?? {}))
const bodyOf = (path: string) =>
  propertiesOf(document.paths[path]?.post?.requestBody?.content['application/json']?.schema)

const GUIDES = new URL('../../../docs/guides/', import.meta.url)
const read = (guide: string): string => readFileSync(new URL(guide, GUIDES), 'utf8')
const inOneLine = (text: string): string => text.replace(/\s+/g, ' ')

/** The cells of the table whose header row begins with `header`, without the header. */
function readTable(guide: string, header: string): string[][] {
  const lines = read(guide).split('\n')
  const start = lines.findIndex(
    (line, index) => line.startsWith(`| ${header} |`) && lines[index + 1]?.startsWith('|---'),
  )
  if (start < 0) throw new Error(`${guide} has no table that begins with "${header}".`)
  const rows = lines.slice(start + 2)
  return rows
    .slice(
      0,
      rows.findIndex((line) => !line.startsWith('|')),
    )
    .map((line) =>
      line
        .slice('| '.length, -' |'.length)
        .split(' | ')
        .map((cell) => cell.trim()),
    )
}

/** The words in backticks. */
const namesIn = (cell: string | undefined): string[] =>
  [...(cell ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)

test.each(readdirSync(GUIDES).filter((name) => name.endsWith('.md')))(
  '%s names no plan but in its generated tables, so that it stays true when the plans change',
  (guide) => {
    const prose = read(guide).replace(/^<!-- (.+) -->$[\s\S]*?^<!-- end of \1 -->$/gm, '')
    const names = PLAN_NAMES.map((plan) => PLANS[plan].displayName).join('|')
    expect(prose.match(new RegExp(`\\b(?:${names})\\s(?:plan|account)s?\\b`, 'gi'))).toBeNull()
  },
)

describe('the guide to errors', () => {
  const codeOf = (schema: Schema) => schema.properties?.code?.const
  const withDetails = Object.values(schemas).filter((schema) => codeOf(schema) && schema.properties?.details)

  test('lists the details of every code that carries any', () => {
    const codes = readTable('errors.md', 'code').flatMap(([code]) => namesIn(code))
    expect(codes.sort()).toEqual(withDetails.map(codeOf).sort())
  })

  test.each(withDetails.map((schema) => [codeOf(schema), schema.properties?.details] as const))(
    'names every field of the details of %s, and every cause',
    (code, details) => {
      const [, cell] = readTable('errors.md', 'code').find(([name]) => name === `\`${code}\``) ?? []
      const names = namesIn(cell).map((name) => name.replace('[]', ''))
      const fields = propertiesOf(details)
      for (const field of Object.keys(fields)) expect(names).toContain(field)
      const causes = [...(fields.reason?.enum ?? []), ...(fields.quota?.enum ?? [])]
      for (const cause of causes) expect(names).toContain(cause)
    },
  )

  test('shows an error response as the API sends it', () => {
    const [, json = ''] = /```json\n(.*?)```/s.exec(read('errors.md')) ?? []
    const { error } = ErrorEnvelope.strict().parse(JSON.parse(json))
    expect(error).toMatchObject({ message: ERRORS[error.code].message, retryable: ERRORS[error.code].retryable })
  })
})

describe('the guide to formats', () => {
  test('explains every field of the quality of a result, and every strategy', () => {
    const rows = readTable('formats.md', 'field')
    const quality = propertiesOf(schemas.ResultQuality)
    expect(rows.flatMap(([field]) => namesIn(field)).sort()).toEqual(Object.keys(quality).sort())
    const strategies = quality.strategy?.anyOf?.flatMap((alternative) => resolve(alternative).enum ?? [])
    expect(namesIn(rows.find(([field]) => field === '`strategy`')?.[1])).toEqual(strategies)
  })

  test('names every summary mode', () => {
    for (const mode of SUMMARY_MODES) expect(read('formats.md')).toContain(`\`${mode}\``)
  })
})

describe('the guide to limits', () => {
  const limitOf = (subject: string): string =>
    inOneLine(readTable('limits.md', 'what').find(([name]) => name === subject)?.[1] ?? '')
  const count = (value: unknown): string => Number(value).toLocaleString('en-US')
  const video = bodyOf('/videos/process')
  const batch = bodyOf('/batch/process')

  test('states the limits of request bodies', () => {
    const largest = Math.max(...ROUTES.map(({ maxBodyBytes = 0 }) => maxBodyBytes))
    expect(limitOf('request body')).toBe(
      `${MAX_BODY_BYTES / 1024} KB; ${largest / 1_000_000} MB for a batch and an import; at most ${MAX_DEPTH} levels of nesting`,
    )
  })

  test('states the limits of the fields of a request', () => {
    expect(limitOf('videos in a batch')).toBe(`${batch.videos?.minItems} to ${batch.videos?.maxItems}`)
    expect(limitOf('`url`, `webhook_url`')).toBe(`${count(video.url?.maxLength)} characters`)
    expect(video.webhook_url?.maxLength).toBe(video.url?.maxLength)
    const { custom_instructions } = video
    expect(limitOf('`custom_instructions`')).toBe(
      `${custom_instructions?.minLength} to ${count(custom_instructions?.maxLength)} characters`,
    )
    for (const field of ['service_name', 'agent_name', 'client_reference']) {
      expect(limitOf('`service_name`, `agent_name`, `client_reference`')).toBe(`${video[field]?.maxLength} characters`)
    }
    const { max_transcript_length } = propertiesOf(video.options)
    expect(limitOf('transcript')).toContain(`${count(max_transcript_length?.maximum)} bytes of UTF-8`)
  })

  test('states the limits of lists', () => {
    expect(limitOf('list of jobs')).toContain(`${propertiesOf(schemas.Pagination).limit?.maximum} per page`)
  })

  test('states the request limits of admin keys and of client addresses', () => {
    const { RATE_LIMIT_ADMIN, RATE_LIMIT_ADDRESS } = RequestLimitEnv.parse({})
    expect(inOneLine(read('limits.md'))).toContain(`that of admin keys is ${count(RATE_LIMIT_ADMIN)}.`)
    expect(inOneLine(read('limits.md'))).toContain(`by default up to ${count(RATE_LIMIT_ADDRESS)}.`)
  })
})

describe('the guide to webhooks', () => {
  test('names fields of the data of every event that exist', () => {
    for (const [event, data] of readTable('webhooks.md', 'event')) {
      const name = namesIn(event)[0] ?? ''
      const { schema } = document.webhooks[name]?.post.requestBody.content['application/json'] ?? {}
      const fields = Object.keys(propertiesOf(propertiesOf(schema).data))
      const named = namesIn(data).map((field) => field.replace(/\[\]$|: .*/, ''))
      expect(named.length).toBeGreaterThan(0)
      if (name !== 'job.completed') expect(fields).toEqual(expect.arrayContaining(named))
    }
  })

  test('states the pauses between the attempts', () => {
    expect(inOneLine(read('webhooks.md'))).toContain(`is retried after ${describeSchedule(RETRY_SCHEDULE)} (`)
  })

  test('lists the states of a delivery', () => {
    expect(read('webhooks.md')).toContain(DELIVERY_STATUSES.map((status) => `\`${status}\``).join(', '))
  })
})

test('the README states how many videos of its batch of 100 the quota of Pro allows a day', () => {
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')
  expect(readme).toContain(`Pro has ${PLANS.pro.quota.daily} a day, \`PLAN_QUOTAS\` changes it`)
})

test('the guide to batches lists how a batch can end', () => {
  const statuses = readTable('batches.md', '`status`').flatMap(([status]) => namesIn(status))
  expect(statuses).toEqual(BATCH_STATUSES.filter((status) => status !== 'processing'))
})

test('the guide to following a job shows the events of its stream', () => {
  const shown = [...read('following.md').matchAll(/^event: (\w+)$/gm)].map(([, name]) => name)
  expect(shown.length).toBeGreaterThan(0)
  expect(Object.keys(following.events.events)).toEqual(expect.arrayContaining(shown))
})

test('the guide to versions lists every deprecated field with its replacement', () => {
  const rows = readTable('versioning.md', 'deprecated').map(([name, replacement]) => [
    namesIn(name)[0],
    namesIn(replacement)[0],
  ])
  const fields = Object.entries(LEGACY_FIELDS)
  expect(rows).toEqual([...fields, ['jobs', 'videos']])
})
