import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SAMPLE_TALKS } from '@subtext/fakes'
import { DOCUMENT_FORMATS, SUMMARY_MODES } from '@subtext/sdk/vocabulary'
import { useClient, watchUrl } from '@subtext/testbed'
import { buildNodes, loadNode } from '../n8n/load-node.ts'
import { type DeclarativeNode, runNode } from '../n8n/run-node.ts'
import { usePlainSystem } from './use-plain-system.ts'

const system = usePlainSystem({ SAMPLE_VIDEOS: 'true', PLAN_QUOTAS: 'pro:off' })
const client = useClient(system)
const URLS = [SAMPLE_TALKS.english, SAMPLE_TALKS.german].map(({ id }) => watchUrl(id))

let node: DeclarativeNode
beforeAll(() => {
  buildNodes()
  node = loadNode<DeclarativeNode>('nodes/Subtext/Subtext.node.js', 'Subtext')
})

/** Runs an operation of the node, and returns its items. */
const run = (resource: string, operation: string, fields: object = {}) =>
  runNode({
    node,
    credentials: { baseUrl: `${system.baseUrl}/`, apiKey: client.key },
    parameters: { resource, operation, ...fields },
  })

async function process(): Promise<string> {
  const [submitted] = await run('video', 'submit', {
    url: URLS[0],
    summaryModes: ['tldr', 'key_insights'],
    additionalFields: { clientReference: 'n8n', language: 'en' },
  })
  const jobId = String(submitted?.job_id)
  expect(await run('video', 'wait', { jobId })).toMatchObject([{ job_id: jobId, status: 'completed' }])
  return jobId
}

test('the n8n node submits a video, waits for it, and reads its result, its document and the list', async () => {
  const jobId = await process()
  const [result] = await run('video', 'getResult', { jobId, structured: true })
  expect(result).toMatchObject({ format: 'json', client_reference: 'n8n', summaries: { key_insights: {} } })
  const [file] = await run('video', 'getDocument', { jobId, format: 'srt' })
  expect(file?.data).toContain(' --> ')
  expect(await run('video', 'getStatus', { jobId })).toMatchObject([{ status: 'completed' }])
  expect(await run('video', 'getAll', { limit: 1 })).toMatchObject([{ job_id: jobId }])
  expect(await run('video', 'cancel', { jobId })).toMatchObject([{ status: 'completed' }])
})

test('the n8n node asks about a video, and goes on with the conversation', async () => {
  const jobId = await process()
  const [first] = await run('video', 'ask', { jobId, message: 'What is it about?' })
  expect(first).toMatchObject({ answer_kind: 'passages' })
  const conversationId = first?.conversation_id
  expect(await run('video', 'ask', { jobId, message: 'And what else?', conversationId })).toMatchObject([
    { conversation_id: conversationId },
  ])
})

test('the n8n node submits a batch, and reads its status, its results and its documents', async () => {
  const [batch] = await run('batch', 'submit', { urls: URLS.join('\n'), modes: [] })
  const batchId = batch?.batch_id
  let status: unknown = 'processing'
  while (status === 'processing') [{ status } = { status: 'lost' }] = await run('batch', 'getStatus', { batchId })
  expect(status).toBe('completed')
  expect(await run('batch', 'getResults', { batchId })).toMatchObject([{ summaries: {} }, { summaries: {} }])
  expect((await run('batch', 'download', { batchId }))[0]?.data).toMatch(/^PK/)
  expect(await run('batch', 'getAll', { returnAll: true })).toMatchObject([{ batch_id: batchId }])
})

test('the n8n node lists a source and processes its newest videos', async () => {
  const [{ source_id: source } = {}] = await run('source', 'add', { sourceUrl: 'PLsbtx-lectures' })
  expect(await run('source', 'wait', { source })).toMatchObject([{ status: 'ready' }])
  const videos = await run('source', 'getVideos', { source, returnAll: true, onlyNew: true })
  expect(videos.length).toBeGreaterThan(2)
  expect(await run('batch', 'submitSource', { sourceId: source, newest: 2 })).toMatchObject([
    { source_id: source, selected: 2 },
  ])
  expect((await run('source', 'getAll')).map(({ source_id }) => source_id)).toContain(source)
  expect(await run('source', 'delete', { source })).toEqual([{ deleted: true }])
})

test('the n8n node imports captions, searches the library, counts mentions, and downloads and deletes', async () => {
  const captions = 'WEBVTT\n\n00:01.000 --> 00:03.000\nGood morning, zanzibar.\n'
  const fields = { captions, title: 'Meeting', mediaUrl: 'https://media.example.com/a.mp4', summaryModes: [] }
  const [{ job_id: jobId } = {}] = await run('import', 'submit', fields)
  await run('video', 'wait', { jobId })
  expect(await run('library', 'search', { query: 'zanzibar' })).toMatchObject([{ job_id: jobId }])
  expect(await run('library', 'search', { query: 'zanzibar', returnAll: true })).toHaveLength(1)
  const [asked] = await run('library', 'ask', { libraryMessage: 'Who says zanzibar?' })
  expect(asked?.answer_kind).toBe('passages')
  expect(asked?.citations).toContainEqual(expect.objectContaining({ job_id: jobId }))
  const again = { libraryMessage: 'And then?', libraryConversationId: asked?.conversation_id }
  expect(await run('library', 'ask', again)).toMatchObject([{ conversation_id: asked?.conversation_id }])
  expect(await run('library', 'countMentions', { query: 'zanzibar', by: 'video' })).toMatchObject([{ total: 1 }])
  expect((await run('library', 'download', { since: '2026-01-01' }))[0]?.data).toMatch(/^PK/)
  expect(await run('video', 'delete', { jobId })).toEqual([{ deleted: true }])
  await expect(run('video', 'getStatus', { jobId })).rejects.toThrow('NOT_FOUND')
})

test('the n8n node reads all pages of a list', async () => {
  const titles = Array.from({ length: 101 }, (_, index) => `Meeting ${index}`)
  const captions = 'WEBVTT\n\n00:01.000 --> 00:03.000\nHello.\n'
  await Promise.all(titles.map((title) => run('import', 'submit', { captions, title, summaryModes: [] })))
  const listed = (await run('video', 'getAll', { returnAll: true })).map(({ video_title }) => video_title)
  expect(titles.filter((title) => !listed.includes(title))).toEqual([])
})

test('the n8n node offers every summary and every document', () => {
  const optionsOf = (name: string): unknown[] =>
    (node.description.properties.find((property) => property.name === name)?.options ?? []).map(({ value }) => value)
  expect(optionsOf('summaryModes').sort()).toEqual([...SUMMARY_MODES].sort())
  expect(optionsOf('format').sort()).toEqual(Object.keys(DOCUMENT_FORMATS).sort())
})

test('the package for n8n has no dependencies at run time', () => {
  const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../../n8n/package.json'), 'utf8'))
  expect([manifest.dependencies, Object.keys(manifest.peerDependencies)]).toEqual([undefined, ['n8n-workflow']])
})
