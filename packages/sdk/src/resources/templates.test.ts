import { Subtext } from '../client.ts'

/** Returns a client and the requests that it sends. */
function connect(status = 200, data: object = { name: 'minutes' }) {
  const sent: { method: string; path: string; body: unknown; key: string | null }[] = []
  const client = new Subtext({
    apiKey: 'sk_1',
    baseUrl: 'https://api.example.org',
    fetch: async (input, init) => {
      const headers = new Headers(init?.headers)
      sent.push({
        method: init?.method ?? 'GET',
        path: String(input).replace('https://api.example.org/api/v1', ''),
        body: init?.body === undefined ? undefined : JSON.parse(String(init.body)),
        key: headers.get('Idempotency-Key'),
      })
      if (status === 204) return new Response(null, { status })
      return Response.json({ success: true, data, meta: {} }, { status })
    },
  })
  return { client, sent }
}

const schema = { type: 'object' as const, properties: { topic: { type: 'string' as const } } }

test('creates, replaces, reads and lists templates', async () => {
  const { client, sent } = connect()
  await client.templates.create({ name: 'minutes', schema })
  await client.templates.replace('minutes', { schema })
  await client.templates.get('minutes@1')
  await client.templates.list()
  expect(sent.map(({ method, path, body }) => [method, path, body])).toEqual([
    ['POST', '/templates', { name: 'minutes', schema }],
    ['PUT', '/templates/minutes', { schema }],
    ['GET', '/templates/minutes%401', undefined],
    ['GET', '/templates/', undefined],
  ])
  expect(sent[0]?.key).not.toBeNull()
})

test('deletes a template, whose response has no body', async () => {
  const { client, sent } = connect(204)
  await client.templates.delete('minutes')
  expect(sent).toMatchObject([{ method: 'DELETE', path: '/templates/minutes' }])
})

test('asks for tables over a batch and over jobs, and reads them', async () => {
  const { client, sent } = connect()
  await client.tables.ofBatch('b', { template: 'quotes' })
  await client.tables.ofJobs({ job_ids: ['j'], questions: ['Why?'] })
  await client.tables.get('t')
  await (await client.tables.document('t', 'csv')).text()
  expect(sent.map(({ method, path }) => [method, path])).toEqual([
    ['POST', '/batch/table/b'],
    ['POST', '/library/table'],
    ['GET', '/tables/t'],
    ['GET', '/tables/t?format=csv'],
  ])
})
