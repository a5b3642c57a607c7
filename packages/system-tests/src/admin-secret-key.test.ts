import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { useTestDatabase } from '@subtext/db/testing'
import { runAdmin } from '@subtext/testbed'

const database = useTestDatabase()
let dataDir: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'subtext-admin-'))
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))

test('the admin command requires WEBHOOK_SECRET_KEY for a database that it does not manage, instead of creating a key', async () => {
  const settings = { SUBTEXT_DATA_DIR: dataDir, DATABASE_URL: database.url }
  const { code, out, err } = await runAdmin(['rotate-webhook-secret', '--email', 'a@example.org'], settings)
  expect([code, out]).toEqual([1, ''])
  expect(err).toBe('WEBHOOK_SECRET_KEY is not set. Set it to the key that the service uses.\n')
  expect(await readdir(dataDir)).toEqual([])
})
