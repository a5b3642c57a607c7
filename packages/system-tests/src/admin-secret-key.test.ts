import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TEST_SECRET_KEY } from '@subtext/core/testing'
import { useTestDatabase } from '@subtext/db/testing'
import { runAdmin } from '@subtext/server/testing'

const EMAIL = 'a@example.org'
const database = useTestDatabase()
let dataDir: string
let settings: Record<string, string>

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'subtext-admin-'))
  settings = { SUBTEXT_DATA_DIR: dataDir, DATABASE_URL: database.url }
  await runAdmin(['create-key', '--email', EMAIL, '--plan', 'pro'], settings)
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))
const rotate = (more: Record<string, string> = {}) =>
  runAdmin(['rotate-webhook-secret', '--email', EMAIL], { ...settings, ...more })

test('requires WEBHOOK_SECRET_KEY for a database that it does not manage, instead of creating a key', async () => {
  const refused = await rotate()
  expect([refused.code, refused.out]).toEqual([1, ''])
  expect(refused.err).toBe('WEBHOOK_SECRET_KEY is not set. Set it to the key that the service uses.\n')
  expect(await readdir(dataDir)).toEqual([])
  const wrong = await rotate({ WEBHOOK_SECRET_KEY: 'not-a-key' })
  expect([wrong.code, wrong.out]).toEqual([1, ''])
  expect(wrong.err).toMatch(/^WEBHOOK_SECRET_KEY: Must be 32 bytes/)
  expect(wrong.err).not.toContain('not-a-key')
})

test('creates a webhook secret with the key of the service', async () => {
  const { code, out } = await rotate({ WEBHOOK_SECRET_KEY: TEST_SECRET_KEY })
  expect([code, out]).toEqual([0, expect.stringMatching(/^whsec_[\w+/]{43}=\n$/)])
})
