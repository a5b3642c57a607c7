import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { useTestDatabase } from '@subtext/db/testing'
import { inheritedEnv } from '@subtext/embedded/testing'

const ROOT = resolve(fileURLToPath(import.meta.url), '../../../..')
const database = useTestDatabase()

/** Runs `npm run admin -- ...` without the check of the build that comes before it. */
async function admin(line: string, input = '') {
  const args = line.split(' ')
  const child = spawn(process.execPath, ['dist/server/admin.js', ...args], {
    cwd: ROOT,
    env: { ...inheritedEnv(), DATABASE_URL: database.url },
  })
  child.stdin.end(input)
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { code, out, err }
}

interface JsonKey {
  id: string
  key: string
  email: string
  plan: string
  scopes: string[]
  state: string
  expires_at: string | null
}
const listKeys = async (email: string): Promise<JsonKey[]> =>
  JSON.parse((await admin(`list-keys --json --email ${email}`)).out)

/** Creates a key and checks that the command prints nothing else. */
async function createKey(options: string): Promise<string> {
  const { code, out, err } = await admin(`create-key ${options}`)
  expect([code, err]).toEqual([0, ''])
  expect(out).toMatch(/^sk_[0-9a-f]{64}\n$/)
  return out.trim()
}

test('creates, lists, disables, enables and revokes a key', async () => {
  const key = await createKey('--email Ann@Example.org --plan pro --admin --expires-in 90d')
  const [listed] = await listKeys('ann@example.org')
  expect(listed).toMatchObject({
    email: 'ann@example.org',
    plan: 'pro',
    scopes: ['read', 'write', 'admin'],
    state: 'active',
  })
  expect(listed?.key).toBe(`${key.slice(0, 9)}…${key.slice(-4)}`)
  const days = (Date.parse(listed?.expires_at ?? '') - Date.now()) / 86_400_000
  expect(Math.round(days)).toBe(90)

  const table = await admin('list-keys')
  expect(table.out).toContain(listed?.id)
  expect(table.out).not.toContain(key)

  expect(await admin(`disable-key ${listed?.key}`)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/ is disabled\.\n$/),
  })
  expect(await admin(`enable-key ${listed?.key}`)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/ is enabled\.\n$/),
  })
  expect(await admin(`revoke-key ${listed?.id}`)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/ is revoked\.\n$/),
  })
  expect(await admin('revoke-key -', `${key}\n`)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/already revoked/),
  })
  expect(await admin(`enable-key ${key.slice(0, 9)}`)).toMatchObject({ code: 1, out: '' })
  expect((await listKeys('ann@example.org'))[0]?.state).toBe('revoked')
})

test('sets a plan, and reports what it cannot do in one line without a stack', async () => {
  await createKey('--email bob@example.org --plan free --scopes read --expires-at 2099-01-31')
  expect((await admin('set-plan --email bob@example.org --plan plus')).code).toBe(0)
  expect(await listKeys('bob@example.org')).toMatchObject([
    { plan: 'plus', scopes: ['read'], expires_at: '2099-01-31T00:00:00.000Z' },
  ])
  for (const line of [
    'set-plan --email nobody@example.org --plan plus',
    'rotate-webhook-secret --email nobody@example.org',
    'revoke-key sk_000000',
    'create-key --email bob@example.org --plan free --expires-at 2020-01-01',
  ]) {
    const { code, out, err } = await admin(line)
    expect([line, code, out]).toEqual([line, 1, ''])
    expect(err.trim().split('\n')).toHaveLength(1)
  }
})

test('refuses a selector that matches two keys, and lists their IDs', async () => {
  const keys = [
    await createKey('--email eve@example.org --plan free'),
    await createKey('--email eve@example.org --plan free'),
  ]
  await database.db.query(`UPDATE api_keys SET prefix = 'sk_aaaaaa' WHERE last_four = ANY($1)`, [
    keys.map((key) => key.slice(-4)),
  ])
  const { code, err } = await admin('revoke-key sk_aaaaaa')
  expect(code).toBe(1)
  const listed = await listKeys('eve@example.org')
  for (const { id } of listed) expect(err).toContain(id)
  expect(listed.map(({ state }) => state)).toEqual(['active', 'active'])
})

test('prints its usage on --help and for wrong options', async () => {
  expect(await admin('create-key --plan pro')).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('Usage:'),
  })
  expect(await admin('--help')).toMatchObject({ code: 0, err: '', out: expect.stringContaining('Usage:') })
})
