import supertest from 'supertest'
import { holderOf } from '../testing/accounts.ts'
import { useTestApi } from '../testing/api.ts'

const CAPTIONS = `WEBVTT

00:01.000 --> 00:03.000
<v Ana Torres>Good morning. Can everyone see the <i>slide</i>?</v>

00:04.000 --> 00:06.000
<v Ben Okafor>Yes, R&amp;D is on it.</v>
`
const api = useTestApi()
let key: string
let other: string

beforeAll(async () => {
  key = await api.createKey()
  other = await api.createKey({ plan: 'plus' })
})

const post = (path: string, apiKey = key) =>
  supertest(api.app).post(`/api/v1${path}`).set('Authorization', `Bearer ${apiKey}`)
const send = (body: object, apiKey = key) =>
  post('/videos/import', apiKey).send({ title: 'Budget', captions: CAPTIONS, ...body })
const countOf = async (table: string, apiKey = key): Promise<number> => {
  const { userId } = await holderOf(api.context, apiKey)
  const column = table === 'transcripts' ? 'owner_id' : 'user_id'
  const { rows } = await api.context.db.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM ${table} WHERE ${column} = $1`,
    [userId],
  )
  return rows[0]?.count ?? 0
}

describe('POST /videos/import', () => {
  test('accepts captions as a job whose address is its page of the dashboard', async () => {
    const { status, body, headers } = await send({ client_reference: 'ref-1' })
    expect(status).toBe(202)
    const { job_id, video_id, video_url } = body.data
    expect(body.data).toMatchObject({ status: 'queued', priority: 'normal', client_reference: 'ref-1' })
    expect(video_id).toMatch(/^imp-[A-Za-z0-9_-]{16}$/)
    expect(video_url).toBe(`${api.context.http.publicBaseUrl}/jobs/${job_id}`)
    expect(headers.location).toBe(`/api/v1/videos/status/${job_id}`)
    const shown = await supertest(api.app)
      .get(headers.location ?? '')
      .set('Authorization', `Bearer ${key}`)
    expect(shown.body.data).toMatchObject({ video_id, video_url, video_title: 'Budget' })
  })

  test('gives the same captions and title one ID within an account, and another one elsewhere', async () => {
    const ids = await Promise.all(
      [send({}), send({ media_url: 'https://media.example.com/a.mp4' }), send({ title: 'Other' }), send({}, other)].map(
        async (sent) => (await sent).body.data.video_id,
      ),
    )
    expect(ids[0]).toBe(ids[1])
    expect(new Set(ids).size).toBe(3)
  })

  test('links to the address of the recording without its fragment', async () => {
    const { body } = await send({ media_url: 'https://media.example.com/a b.mp4?x=1#t=5' })
    expect(body.data.video_url).toBe('https://media.example.com/a%20b.mp4?x=1')
  })

  test.each([
    ['media_url', { media_url: 'https://user:secret@media.example.com/a' }],
    ['media_url', { media_url: 'javascript:alert(1)' }],
    ['title', { title: ' ' }],
    ['format', { format: 'docx' }],
    ['published_at', { published_at: 'yesterday' }],
    ['language', { language: 'xx-invalid-' }],
    ['url', { url: 'https://youtu.be/dQw4w9WgXcQ' }],
  ])('refuses a wrong %s', async (path, fields) => {
    const { status, body } = await send(fields)
    expect(status).toBe(400)
    expect(body.error.details.issues).toContainEqual(expect.objectContaining({ path }))
  })

  test.each([
    ['empty', ' \n', {}],
    ['empty', 'WEBVTT\n\n', {}],
    ['no_times', 'Only words, and no times.', {}],
    ['unknown_format', '<html><body>Not found</body></html>', {}],
    ['unknown_format', CAPTIONS, { format: 'json' }],
    ['encoding', '1\n00:00:01,000 --> 00:00:02,000\ncaf\uFFFD\n', {}],
  ])('refuses captions as %s without accepting or counting anything', async (reason, captions, fields) => {
    const before = [await countOf('jobs'), await countOf('transcripts'), await countOf('quota_entries')]
    const { status, body } = await send({ captions, ...fields })
    expect(status).toBe(422)
    expect(body.error).toMatchObject({ code: 'CAPTIONS_UNREADABLE', details: { reason } })
    expect([await countOf('jobs'), await countOf('transcripts'), await countOf('quota_entries')]).toEqual(before)
  })

  test('says which dates it takes', async () => {
    const { status, body } = await send({ published_at: 'yesterday' })
    expect(status).toBe(400)
    expect(body.error.details.issues).toEqual([
      expect.objectContaining({ path: 'published_at', message: expect.stringContaining('2026-03-05') }),
    ])
  })

  test('says in which line characters were lost', async () => {
    const { body } = await send({ captions: '1\n00:00:01,000 --> 00:00:02,000\ncaf\uFFFD\n' })
    expect(body.error.details).toEqual({ reason: 'encoding', line: 3 })
  })

  test('accepts captions of 10,000,000 bytes and refuses more', async () => {
    const cue = (line: number) => `${line}\n00:00:01,000 --> 00:00:02,000\n${'word '.repeat(200)}\n\n`
    const long = Array.from({ length: 9_500 }, (_, line) => cue(line + 1)).join('')
    const captions = long.padEnd(10_000_000, ' ').slice(0, 10_000_000)
    expect((await send({ captions })).status).toBe(202)
    const { status, body } = await send({ captions: `${captions} ` })
    expect(status).toBe(413)
    expect(body.error.details).toEqual({ limit_bytes: 10_000_000 })
  })

  test('counts one video, and gives back what it stored when the quota is used up', async () => {
    const free = await api.createKey({ plan: 'free' })
    const before = await countOf('quota_entries', free)
    const statuses: number[] = []
    for (let sent = 0; sent < 10; sent++) statuses.push((await send({}, free)).status)
    const accepted = statuses.filter((status) => status === 202).length
    expect(statuses).toContain(429)
    expect(await countOf('quota_entries', free)).toBe(before + accepted)
    expect(await countOf('transcripts', free)).toBe(accepted)
  })

  test('creates one job for repeated requests with an idempotency key', async () => {
    const once = () => send({ title: 'Once' }).set('Idempotency-Key', 'import-1')
    const [first, second] = [await once(), await once()]
    expect(second.body.data.job_id).toBe(first.body.data.job_id)
    expect(second.headers['idempotent-replayed']).toBe('true')
    expect((await send({ title: 'Twice' }).set('Idempotency-Key', 'import-1')).status).toBe(422)
  })
})

describe('POST /videos/import with parts', () => {
  test('takes the title from the name of the file and recognizes its encoding', async () => {
    const file = Buffer.from(
      '1\n00:00:01,000 --> 00:00:02,000\nCzesc, to jest \xb1\xb6\xbc i \xea\xf1\xb3\xf3.\n',
      'latin1',
    )
    const { status, body } = await post('/videos/import')
      .field('options', JSON.stringify({ summary_modes: ['tldr'] }))
      .field('speakers', JSON.stringify(['Ana']))
      .attach('file', file, 'team meeting.srt')
    expect([status, body.error]).toEqual([202, undefined])
    const shown = await supertest(api.app)
      .get(`/api/v1/videos/status/${body.data.job_id}`)
      .set('Authorization', `Bearer ${key}`)
    expect(shown.body.data.video_title).toBe('team meeting')
  })

  test.each([
    [
      'captions beside the file',
      'captions',
      (request: supertest.Test) => request.field('captions', 'x').attach('file', Buffer.from(CAPTIONS), 'a.vtt'),
    ],
    ['no file', 'file', (request: supertest.Test) => request.field('title', 'x')],
    [
      'two files',
      'file',
      (request: supertest.Test) =>
        request.attach('file', Buffer.from(CAPTIONS), 'a.vtt').attach('file', Buffer.from(CAPTIONS), 'b.vtt'),
    ],
    [
      'a repeated part',
      'title',
      (request: supertest.Test) =>
        request.field('title', 'x').field('title', 'y').attach('file', Buffer.from(CAPTIONS), 'a.vtt'),
    ],
    [
      'an unknown part',
      'titel',
      (request: supertest.Test) => request.field('titel', 'x').attach('file', Buffer.from(CAPTIONS), 'a.vtt'),
    ],
    [
      'an unknown part that is named as what objects inherit',
      '__proto__',
      (request: supertest.Test) => request.field('__proto__', 'x').attach('file', Buffer.from(CAPTIONS), 'a.vtt'),
    ],
    [
      'options that are not JSON',
      'options',
      (request: supertest.Test) => request.field('options', '{').attach('file', Buffer.from(CAPTIONS), 'a.vtt'),
    ],
  ])('refuses %s', async (_, path, build) => {
    const { status, body } = await build(post('/videos/import'))
    expect(status).toBe(400)
    expect(body.error.details.issues).toContainEqual(expect.objectContaining({ path }))
  })

  test('takes the whole name as title if nothing comes before its ending', async () => {
    const { status, body } = await post('/videos/import').attach('file', Buffer.from(CAPTIONS), '.vtt')
    expect([status, body.error]).toEqual([202, undefined])
    const shown = await supertest(api.app).get(`/api/v1/videos/status/${body.data.job_id}`).set('X-API-Key', key)
    expect(shown.body.data.video_title).toBe('.vtt')
  })

  test('refuses a file of more than 10,000,000 bytes', async () => {
    const { status } = await post('/videos/import').attach('file', Buffer.alloc(10_000_001, 'x'), 'a.srt')
    expect(status).toBe(413)
  })

  test('is for imports only', async () => {
    const { status } = await post('/videos/process').field('url', 'https://youtu.be/dQw4w9WgXcQ')
    expect(status).toBe(415)
  })
})

describe('imports in a batch', () => {
  const video = { url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ' }
  const imported = { import: { title: 'Budget', captions: CAPTIONS } }

  test('are accepted beside videos', async () => {
    const { status, body } = await post('/batch/process').send({ videos: [imported, video] })
    expect([status, body.error]).toEqual([202, undefined])
    const found = await supertest(api.app)
      .get(new URL(body.data.status_url).pathname)
      .set('Authorization', `Bearer ${key}`)
    expect(found.body.data.jobs).toMatchObject([
      { video_id: expect.stringMatching(/^imp-/), video_url: expect.stringMatching(/\/jobs\//), video_title: 'Budget' },
      { video_id: 'dQw4w9WgXcQ' },
    ])
  })

  test('refuse the whole batch with the path of each that cannot be read', async () => {
    const before = [await countOf('jobs'), await countOf('transcripts')]
    const broken = { import: { title: 'Broken', captions: 'no times' } }
    const { status, body } = await post('/batch/process').send({ videos: [imported, broken, video] })
    expect(status).toBe(422)
    expect(body.error).toMatchObject({
      code: 'CAPTIONS_UNREADABLE',
      details: { reason: 'no_times', issues: [{ path: 'videos.1.import.captions', code: 'no_times' }] },
    })
    expect([await countOf('jobs'), await countOf('transcripts')]).toEqual(before)
  })

  test.each([
    ['both an address and captions', { ...video, ...imported }, 'videos.0.import'],
    ['neither', {}, 'videos.0.url'],
  ])('refuse an entry with %s', async (_, entry, path) => {
    const { status, body } = await post('/batch/process').send({ videos: [entry] })
    expect(status).toBe(400)
    expect(body.error.details.issues).toContainEqual(expect.objectContaining({ path }))
  })
})
