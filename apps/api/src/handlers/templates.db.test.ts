import { MAX_TEMPLATES, Template } from '@subtext/contracts'
import { saveExtraction } from '@subtext/core/templates'
import supertest from 'supertest'
import { v7 as newId } from 'uuid'
import { useTestApi } from '../testing/api.ts'
import { acceptTestJob, completeTestJob } from '../testing/jobs.ts'

const api = useTestApi()
let key: string
beforeAll(async () => {
  key = await api.createKey()
})

const send = (method: 'get' | 'post' | 'put' | 'delete', path: string, body?: object, as = key) =>
  supertest(api.app)[method](`/api/v1${path}`).set('X-API-Key', as).send(body)
const schema = {
  type: 'object',
  properties: { zeta: { type: 'string' }, alpha: { type: ['integer', 'null'] } },
  required: ['zeta'],
}
const create = (name: string, as = key, more: object = {}) => send('post', '/templates', { name, schema, ...more }, as)
const pathsOf = ({ body }: { body: { error?: { details?: { issues: { path: string }[] } } } }) =>
  body.error?.details?.issues.map(({ path }) => path)
const submit = (options: object, as = key) =>
  send('post', '/videos/process', { url: 'https://youtu.be/dQw4w9WgXcQ', options }, as)
const optionsOf = async (jobId: string) =>
  (await api.context.db.prisma.job.findUniqueOrThrow({ where: { id: jobId } })).options as Record<string, unknown>

describe('templates', () => {
  test('are created, replaced by further versions, read by version, and deleted with all of them', async () => {
    const created = await create('minutes', key, { description: 'd', instructions: ' look ' })
    expect([created.status, created.headers.location]).toEqual([201, '/api/v1/templates/minutes'])
    const { template_id, ...first } = Template.strict().parse(created.body.data)
    expect(first).toMatchObject({ name: 'minutes', version: 1, description: 'd', instructions: 'look', schema })
    expect(Object.keys(created.body.data.schema.properties)).toEqual(['zeta', 'alpha'])

    const other = { type: 'object', properties: { topic: { type: 'string' } } }
    const replaced = await send('put', '/templates/minutes', { schema: other })
    expect([replaced.status, replaced.body.data]).toMatchObject([200, { template_id, version: 2, schema: other }])
    expect(replaced.body.data).not.toHaveProperty('instructions')
    const read = async (name: string) => (await send('get', `/templates/${name}`)).body.data
    expect([await read('minutes'), await read('minutes@1')]).toMatchObject([
      { version: 2, versions: 2, schema: other },
      { version: 1, versions: 2, schema, instructions: 'look' },
    ])
    expect((await send('get', '/templates/')).body.data.templates).toMatchObject([{ name: 'minutes', version: 2 }])

    const deleted = await send('delete', '/templates/minutes')
    expect([deleted.status, deleted.text]).toEqual([204, ''])
    for (const path of ['minutes', 'minutes@1']) expect((await send('get', `/templates/${path}`)).status).toBe(404)
    expect((await send('delete', '/templates/minutes')).status).toBe(404)
    const again = (await create('minutes')).body.data
    expect([again.version, again.template_id === template_id]).toEqual([1, false])
  })

  test.each([['minutes@3'], ['minutes@0'], ['unknown'], ['quotes@2'], ['UPPER'], ['a@b']])(
    'are not found as %s',
    async (name) => {
      expect((await send('get', `/templates/${name}`)).status).toBe(404)
    },
  )

  test('that are built in can be read, but not replaced or deleted', async () => {
    expect((await send('get', '/templates/quotes@1')).body.data).toMatchObject({ name: 'quotes', built_in: true })
    expect((await send('put', '/templates/quotes', { schema })).status).toBe(404)
    expect((await send('delete', '/templates/quotes')).status).toBe(404)
  })

  test.each([
    ['a reserved name', { name: 'flashcards', schema }, 'name'],
    ['a taken name', { name: 'minutes', schema }, 'name'],
    ['a malformed name', { name: 'Minutes', schema }, 'name'],
    ['a schema that is no object', { name: 'x', schema: { type: 'array', items: { type: 'string' } } }, 'schema.type'],
    ['a schema without properties', { name: 'x', schema: { type: 'object' } }, 'schema.properties'],
    [
      'an unknown keyword',
      { name: 'x', schema: { type: 'object', properties: { a: { type: 'string', minLength: 1 } } } },
      'schema.properties.a.minLength',
    ],
    ['an unknown field', { name: 'x', schema, model: 'm' }, 'model'],
  ])('are refused with %s', async (_, body, path) => {
    const refused = await send('post', '/templates', body)
    expect([refused.status, pathsOf(refused)]).toEqual([400, [path]])
  })

  test.each([
    [
      '`__proto__`',
      '"properties":{"__proto__":{"type":"string"},"b":{"type":"string"}}',
      'schema.properties.__proto__',
    ],
    [
      '`__proto__` within a list',
      '"properties":{"b":{"type":"array","items":{"type":"object","properties":{"__proto__":{"type":"string"}}}}}',
      'schema.properties.b.items.properties.__proto__',
    ],
    ['a name with NUL', '"properties":{"a\\u0000":{"type":"string"}}', 'schema.properties'],
    ['a name with half a character', '"properties":{"a\\ud800":{"type":"string"}}', 'schema.properties'],
    ['a title with NUL', '"title":"\\u0000","properties":{"a":{"type":"string"}}', 'schema.title'],
    ['a value with NUL', '"properties":{"a":{"type":"string","enum":["\\u0000"]}}', 'schema.properties.a.enum.0'],
  ])('are refused with %s', async (_, inner, path) => {
    const response = await supertest(api.app)
      .post('/api/v1/templates')
      .set('X-API-Key', key)
      .type('json')
      .send(`{"name":"hostile","schema":{"type":"object",${inner}}}`)
    expect([response.status, pathsOf(response)]).toEqual([400, [path]])
  })

  test('may say null where a part of the schema is optional', async () => {
    const written = {
      ...schema,
      title: null,
      properties: { zeta: { type: 'string', description: null } },
      required: null,
    }
    const { status, body } = await create('with-nulls', key, { schema: written })
    expect([status, body.data?.schema]).toEqual([201, { type: 'object', properties: { zeta: { type: 'string' } } }])
  })

  test('belong to their account', async () => {
    const other = await api.createKey()
    expect((await send('get', '/templates/minutes', undefined, other)).status).toBe(404)
    expect((await send('put', '/templates/minutes', { schema }, other)).status).toBe(404)
    expect((await create('minutes', other)).status).toBe(201)
  })

  test('are limited for each account, and an idempotency key creates one', async () => {
    const own = await api.createKey()
    const once = () => send('post', '/templates', { name: 'first', schema }, own).set('Idempotency-Key', 'one')
    const [first, second] = [await once(), await once()]
    expect([second.status, second.body.data]).toEqual([201, first.body.data])
    for (let index = 1; index < MAX_TEMPLATES; index++) expect((await create(`t${index}`, own)).status).toBe(201)
    const refused = await create('more', own)
    expect([refused.status, refused.body.error.code]).toEqual([409, 'TEMPLATE_LIMIT_REACHED'])
    await send('delete', '/templates/t1', undefined, own)
    expect((await create('more', own)).status).toBe(201)
  })

  test('need the Pro plan, and the built-in ones Plus', async () => {
    const [free, plus] = [await api.createKey({ plan: 'free' }), await api.createKey({ plan: 'plus' })]
    for (const as of [free, plus]) {
      expect((await create('x', as)).body.error.details).toMatchObject({ feature: 'templates', required_plan: 'pro' })
      expect((await send('get', '/templates/', undefined, as)).status).toBe(403)
    }
    const refused = (await submit({ templates: ['quotes', 'own'] }, free)).body.error.details
    expect(refused.violations).toMatchObject([
      { feature: 'built_in_templates', field: 'options.templates', required_plan: 'plus' },
      { feature: 'templates', required_plan: 'pro' },
    ])
    expect((await submit({ templates: ['quotes'] }, plus)).status).toBe(202)
  })
})

describe('options.templates', () => {
  test('bind a job to the versions of the moment', async () => {
    const { template_id: id } = (await create('bound')).body.data
    await send('put', '/templates/bound', { schema })
    const { job_id } = (await submit({ templates: ['bound', 'bound', 'quotes'], summary_modes: [] })).body.data
    expect(await optionsOf(job_id)).toMatchObject({
      templates: ['bound', 'quotes'],
      pinned_templates: [
        { id, name: 'bound', version: 2 },
        { id: null, name: 'quotes', version: 1 },
      ],
    })
    const { job_id: older } = (await submit({ templates: ['bound@1'] })).body.data
    expect((await optionsOf(older)).pinned_templates).toEqual([{ id, name: 'bound', version: 1 }])
  })

  test.each([
    [['nothing'], ['options.templates.0']],
    [['quotes', 'bound@9'], ['options.templates.1']],
    [['quotes@2'], ['options.templates.0']],
    [['bound@1', 'bound'], ['options.templates.1']],
    [[], ['options.templates']],
    [['a', 'b', 'c', 'd', 'e', 'f'], ['options.templates']],
    [['A b'], ['options.templates.0']],
  ])('%j are refused', async (templates, paths) => {
    const refused = await submit({ templates })
    expect([refused.status, pathsOf(refused)]).toEqual([400, paths])
  })

  test('are refused in a batch and an estimate at their path', async () => {
    const videos = [{ url: 'dQw4w9WgXcQ' }, { url: 'dQw4w9WgXcQ', options: { templates: ['nothing'] } }]
    for (const path of ['/batch/process', '/batch/estimate']) {
      const refused = await send('post', path, { videos })
      expect([refused.status, pathsOf(refused)]).toEqual([400, ['videos.1.options.templates.0']])
    }
    const body = { url: 'dQw4w9WgXcQ', options: { templates: ['nothing'] } }
    expect(pathsOf(await send('post', '/videos/estimate', body))).toEqual(['options.templates.0'])
    const known = { url: 'dQw4w9WgXcQ', options: { templates: ['quotes'] } }
    expect((await send('post', '/videos/estimate', known)).body.data.would_accept).toBe(true)
  })

  test('are added to a completed job, whose extractions stay', async () => {
    const source = await acceptTestJob(api.context, key, { id: newId() })
    await completeTestJob(api.context, source)
    await saveExtraction(api.context.db, { jobId: source, ...EXTRACTION }, new Date())
    expect(pathsOf(await send('post', `/videos/derive/${source}`, { templates: ['nothing'] }))).toEqual(['templates.0'])
    const derived = await send('post', `/videos/derive/${source}`, { templates: ['flashcards'] })
    expect(derived.status).toBe(202)
    expect(await optionsOf(derived.body.data.job_id)).toMatchObject({ summary_modes: [], templates: ['flashcards'] })
    const kept = await api.context.db.prisma.jobExtraction.findMany({ where: { jobId: derived.body.data.job_id } })
    expect(kept.map(({ name }) => name)).toEqual(['quotes'])
  })
})

const EXTRACTION = {
  name: 'quotes',
  version: 1,
  schema: {
    type: 'object' as const,
    properties: { quotes: { type: 'array' as const, items: { type: 'string' as const } } },
  },
  cacheKey: Buffer.from('key'),
  content: {
    data: { quotes: ['=Rain <b>falls</b>'] },
    evidence: { '/quotes/0': [{ segmentId: 1, startMs: 2_000, quote: 'Rain falls' }] },
    unsupported: ['/quotes'],
    model: 'm',
  },
}
const CARDS = {
  ...EXTRACTION,
  name: 'flashcards',
  content: {
    ...EXTRACTION.content,
    data: { cards: [{ question: '=What falls?', answer: 'Rain, "rain" falls.' }] },
    evidence: { '/cards/0/answer': [{ segmentId: 1, startMs: 2_000, quote: 'Rain falls' }] },
  },
}

describe('the extractions of a result', () => {
  let jobId: string
  beforeAll(async () => {
    jobId = await acceptTestJob(api.context, key, { id: newId() })
    await completeTestJob(api.context, jobId)
    await saveExtraction(api.context.db, { jobId, ...EXTRACTION }, new Date())
  })
  const result = (query = '') => send('get', `/videos/result/${jobId}${query}`)

  test.each(['', '?format=json'])('are in the envelope (%j)', async (query) => {
    expect((await result(query)).body.data.extractions).toEqual({
      quotes: {
        template: 'quotes',
        version: 1,
        schema: EXTRACTION.schema,
        data: EXTRACTION.content.data,
        evidence: {
          '/quotes/0': [
            {
              segment_id: 1,
              start: 2,
              url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=2s',
              quote: 'Rain falls',
            },
          ],
        },
        unsupported: ['/quotes'],
        model: 'm',
      },
    })
  })

  test('are in the documents, with their moments', async () => {
    const markdown = (await result('?format=markdown')).text
    expect(markdown).toContain('## Extracted data\n\n### quotes')
    expect(markdown).toContain('[0:02](https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=2s)')
    expect((await result('?format=text')).text).toContain('=Rain <b>falls</b>')
    expect((await result('?format=html')).text).toContain('=Rain &lt;b&gt;falls&lt;/b&gt;')
  })

  test('are cards for Anki if there are any', async () => {
    const refused = await result('?format=anki')
    expect([refused.status, pathsOf(refused)]).toEqual([400, ['query.format']])
    await saveExtraction(api.context.db, { jobId, ...CARDS }, new Date())
    const cards = await result('?format=anki&download=1&bom=false')
    expect(cards.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(cards.headers['content-disposition']).toContain('dQw4w9WgXcQ-cards.csv')
    expect(cards.text).toBe(
      'question,answer,link\r\n"\'=What falls?","Rain, ""rain"" falls.","https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=2s"\r\n',
    )
  })
})
