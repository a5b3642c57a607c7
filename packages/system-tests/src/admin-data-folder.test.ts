import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runAdmin } from '@subtext/testbed'

let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'subtext-admin-'))
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))

const create = (...options: string[]) =>
  runAdmin(['create-key', '--email', 'a@example.org', '--plan', 'pro', ...options], { SUBTEXT_DATA_DIR: dataDir })

test('the admin command does not write to a database that no service uses, unless it is told to', async () => {
  const { code, out, err } = await create()
  expect([code, out]).toEqual([1, ''])
  expect(err).toContain(
    `No service is running on the data folder of this command, ${dataDir}, which has no database yet.`,
  )
  expect(err).toMatch(/SUBTEXT_DATA_DIR or DATABASE_URL/)
  expect(await readdir(dataDir)).toEqual([])
})

test('told to, it says where it has written', async () => {
  const { code, out, err } = await create('--yes')
  expect([code, out]).toEqual([0, expect.stringMatching(/^sk_[0-9a-f]{64}\n$/)])
  expect(err).toContain(`Written to the database in ${join(dataDir, 'postgres')}.\n`)
})
