import { spawnSync } from 'node:child_process'
import { batches, buildOpenApi, following, usage, videos, webhooks } from '@subtext/contracts'
import { writeCurl } from './curl.ts'
import type { OpenApiDocument, Schema } from './document.ts'
import { describeField, type Field } from './fields.ts'
import { readReference } from './operations.ts'
import { writePython } from './python.ts'
import { describeRequest } from './sample-request.ts'
import { writeTypeScript } from './typescript.ts'
import { writeReferenceHtml } from './write-html.ts'
import { writeReferenceMarkdown } from './write-markdown.ts'

const routes = [videos, following, batches, usage, webhooks].flatMap((group) => Object.values(group))
const document = buildOpenApi(routes, 'https://api.example.org') as unknown as OpenApiDocument
const reference = readReference(document)
const operations = reference.groups.flatMap((group) => group.operations)
const find = (id: string) => {
  const operation = operations.find((each) => each.id === id)
  if (!operation) throw new Error(`There is no operation ${id}.`)
  return operation
}
const namesOf = (fields: Field[]): string[] =>
  fields.flatMap(({ name, forms }) => [name, ...forms.flatMap((form) => namesOf(form.fields))])

const EMPTY = { ...document, components: {} }
const describeAlone = (schema: Schema) => describeField(EMPTY, 'x', schema)

test.each<[Schema, string]>([
  [{ type: 'string' }, 'string'],
  [{ type: 'string', format: 'uri' }, 'string (URL)'],
  [{ type: ['boolean', 'null'] }, 'boolean or null'],
  [{ type: 'array', items: { type: 'integer' } }, 'list of integers'],
  [{ anyOf: [{ type: 'number' }, { type: 'null' }] }, 'number or null'],
  [{ const: 'v1' }, '"v1"'],
  [{ enum: ['a', 'b'] }, 'string'],
  [{}, 'any'],
])('describes the type of %j as %s', (schema, type) => {
  expect(describeAlone(schema).type).toBe(type)
})

test('describes limits, the default and the values of a field', () => {
  expect(describeAlone({ type: 'string', minLength: 1, maxLength: 2_000 }).notes).toEqual(['1 to 2,000 characters'])
  expect(describeAlone({ type: 'integer', minimum: 0, default: 20 }).notes).toEqual(['default: 20'])
  expect(describeAlone({ type: 'array', maxItems: 100, items: { enum: ['a', 'b'] } })).toMatchObject({
    notes: ['at most 100 entries'],
    values: ['a', 'b'],
  })
})

test('stops at a schema that contains itself', () => {
  const node: Schema = { type: 'object', properties: { child: { $ref: '#/components/schemas/Node' } } }
  const field = describeField({ ...document, components: { schemas: { Node: node } } }, 'x', node)
  expect(namesOf([field]).length).toBeLessThan(10)
})

test('has every operation and event of the document, grouped by its tags', () => {
  const ids = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  )
  const events = Object.values(document.webhooks).map(({ post }) => post.operationId)
  expect(operations.map(({ id }) => id).sort()).toEqual([...ids, ...events].sort())
  expect(reference.groups.every((group) => group.operations.length > 0)).toBe(true)
})

test('lists the fields of a body with the deprecated ones last, and its other forms', () => {
  const { body } = find('submitVideo')
  const [current, ofSource, older] = body?.forms ?? []
  expect(current?.fields[0]).toMatchObject({ name: 'url', type: 'string', required: true })
  expect(namesOf(current?.fields ?? [])).toEqual(expect.arrayContaining(['options', 'summary_modes', 'priority']))
  const deprecated = current?.fields.map((field) => field.deprecated) ?? []
  expect(deprecated).toEqual([...deprecated].sort())
  expect(namesOf(ofSource?.fields ?? [])).toEqual(expect.arrayContaining(['source', 'source_id', 'video_id']))
  expect(namesOf(older?.fields ?? [])).toContain('video_url')
})

test('lists parameters, alternatives of the response and error codes', () => {
  const { parameters, responses } = find('getJobResult')
  expect(parameters.map(({ name, in: place }) => `${place} ${name}`)).toEqual(
    expect.arrayContaining(['path job_id', 'query format', 'header If-None-Match']),
  )
  const [success] = responses
  expect(success?.forms.map(({ name }) => name)).toEqual(['DefaultResult', 'StructuredResult'])
  expect(success?.mediaTypes).toContain('text/vtt')
  expect(responses.find(({ status }) => status === '409')?.codes).toEqual(['JOB_NOT_COMPLETED'])
})

test.each([
  [
    'getJobStatus',
    `curl -s https://api.example.org/api/v1/videos/status/0193a1f0-7c1e-7b52-9d56-1f0c2a4b8e11 \\
  -H "Authorization: Bearer $KEY"`,
  ],
  [
    'testWebhook',
    `curl -s https://api.example.org/api/v1/webhooks/test \\
  -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{
  "url": "https://hooks.example.org/subtext"
}'`,
  ],
  ['rotateWebhookSecret', 'curl -s -X POST https://api.example.org/api/v1/webhooks/secret/rotate'],
])('writes the request of %s for a shell', (id, command) => {
  expect(writeCurl(describeRequest(find(id), reference.server))).toContain(command)
})

const requests = operations
  .filter(({ isEvent }) => !isEvent)
  .map((operation) => [operation.id, describeRequest(operation, reference.server)] as const)

test.each(requests)('sends the request of %s with TypeScript', async (_, request) => {
  const send = new Function('fetch', 'KEY', `return (async () => {${writeTypeScript(request)}\n})()`)
  const sent: [string, RequestInit | undefined][] = []
  await send(async (url: string, init?: RequestInit) => sent.push([url, init]) && new Response(), 'sk_1')
  const [[url, init] = []] = sent
  expect([url, init?.method ?? 'GET']).toEqual([request.url, request.method])
  const headers = new Headers(init?.headers)
  expect(headers.get('Authorization')).toBe(request.needsKey ? 'Bearer sk_1' : null)
  expect(init?.body && JSON.parse(String(init.body))).toEqual(request.payload && JSON.parse(request.payload))
})

const hasPython = spawnSync('python3', ['--version']).status === 0
const testWithPython = hasPython ? test : test.skip

testWithPython('sends the same requests with Python (needs python3)', () => {
  // Records each request in place of httpx.
  const program = `
import json, sys
class httpx:
    def request(method, url, headers={}, json=None):
        sent.append([method, url, headers, json])
        class Response:
            def raise_for_status(self): pass
        return Response()
sent = []
for code in json.load(sys.stdin):
    exec(code, {"httpx": httpx, "KEY": "sk_1"})
print(json.dumps(sent))`
  const input = JSON.stringify(requests.map(([, request]) => writePython(request)))
  const { stdout, stderr } = spawnSync('python3', ['-c', program], { input, encoding: 'utf8' })
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual(
    requests.map(([, { method, url, needsKey, payload }]) => [
      method,
      url,
      needsKey ? { Authorization: 'Bearer sk_1' } : {},
      payload ? JSON.parse(payload) : null,
    ]),
  )
})

test('shows every field, parameter and error code as HTML', async () => {
  const html = await writeReferenceHtml(reference)
  for (const { id, parameters, body, responses } of operations) {
    const section = html.split(`id="${id}">`)[1]?.split('</section>')[0] ?? ''
    const forms = [...(body?.forms ?? []), ...responses.slice(0, 1).flatMap((response) => response.forms)]
    const isEvent = id.startsWith('on')
    const names = [
      ...(isEvent ? [] : parameters.map(({ name }) => name)),
      ...forms.flatMap(({ fields }) => namesOf(fields)),
    ]
    for (const name of names) expect([id, name, section.includes(`<code>${name}</code>`)]).toEqual([id, name, true])
    for (const code of responses.flatMap(({ codes }) => codes)) expect(section).toContain(`#${code}">`)
  }
  expect(html).not.toMatch(/undefined|\[object Object\]|NaN/)
})

test('writes the same as Markdown', () => {
  const markdown = writeReferenceMarkdown(reference)
  for (const { summary } of operations) expect(markdown).toContain(`### ${summary.replace(/\.$/, '')}`)
  expect(markdown).toContain('- `url` (string; required; at most 2,048 characters): URL of a public video')
  expect(markdown).not.toMatch(/undefined|\[object Object\]|NaN/)
})
