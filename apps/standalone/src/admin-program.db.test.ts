import { TEST_SECRET_KEY } from '@subtext/core/testing'
import { useTestDatabase } from '@subtext/db/testing'
import { nameCommand } from '@subtext/runtime'
import { runAdminProgram } from './admin-program.ts'

const database = useTestDatabase()

/** Runs a command line in this process. */
const admin = (
  line: string,
  { input = '', settings = {}, answer }: { input?: string; settings?: object; answer?: string } = {},
) =>
  runAdminProgram(line.split(' '), {
    settings: { DATABASE_URL: database.url, ...settings },
    readInput: async () => input,
    ...(answer !== undefined && { ask: async () => answer }),
  })

/** What a command says that has changed something. It names no password. */
const WRITTEN = /^Written to PostgreSQL at [\w.:]+, database \w+\.\n$/

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
  expect([code, err]).toEqual([0, expect.stringMatching(WRITTEN)])
  expect(out).toMatch(/^sk_[0-9a-f]{64}\n$/)
  return out.trim()
}

test('warns that keys on the free plan are for tests', async () => {
  const { code, out, err } = await admin('create-key --email free@example.org --plan free')
  expect([code, out]).toEqual([0, expect.stringMatching(/^sk_[0-9a-f]{64}\n$/)])
  expect(err).toMatch(/^Warning: this plan includes no API keys\..* only to test/)
})

test('invites an address and prints the link for its owner', async () => {
  const { code, out, err } = await admin('invite --email New+One@Example.org')
  const link = 'http://127.0.0.1:3000/sign-up?email=new%2Bone%40example.org\n'
  expect([code, out, err]).toEqual([0, link, expect.stringMatching(WRITTEN)])
  const { rows } = await database.db.query<{ email: string }>('SELECT email FROM invitations WHERE expires_at > now()')
  expect(rows).toEqual([{ email: 'new+one@example.org' }])
})

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
  expect(await admin('revoke-key -', { input: `${key}\n` })).toMatchObject({
    code: 0,
    out: expect.stringMatching(/already revoked/),
  })
  expect(await admin(`enable-key ${key.slice(0, 9)}`)).toMatchObject({ code: 1, out: '' })
  expect((await listKeys('ann@example.org'))[0]?.state).toBe('revoked')
})

test('sets a plan, and reports what it cannot do in one line without a stack', async () => {
  await createKey('--email bob@example.org --plan pro --scopes read --expires-at 2099-01-31')
  expect((await admin('set-plan --email bob@example.org --plan plus')).code).toBe(0)
  expect(await listKeys('bob@example.org')).toMatchObject([
    { plan: 'plus', scopes: ['read'], expires_at: '2099-01-31T00:00:00.000Z' },
  ])
  for (const line of [
    'set-plan --email nobody@example.org --plan plus',
    'rotate-webhook-secret --email nobody@example.org',
    'revoke-key sk_000000',
    'create-key --email bob@example.org --plan plus --expires-at 2020-01-01',
  ]) {
    const { code, out, err } = await admin(line)
    expect([line, code, out]).toEqual([line, 1, ''])
    expect(err.trim().split('\n')).toHaveLength(1)
  }
})

test('refuses a selector that matches two keys, and lists their IDs', async () => {
  const keys = [
    await createKey('--email eve@example.org --plan plus'),
    await createKey('--email eve@example.org --plan plus'),
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

test('prints its help on --help, and what is wrong with options', async () => {
  expect(await admin('create-key --plan pro')).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining("'--email <address>' not specified"),
  })
  expect(await admin('--help')).toMatchObject({ code: 0, err: '', out: expect.stringContaining('Usage:') })
})

test.each([
  ['admin', '/work/dist/standalone/admin.js', 'npm run --silent admin --'],
  [undefined, 'dist/standalone/admin.js', 'node dist/standalone/admin.js'],
  ['start', `${process.cwd()}/dist/standalone/admin.js`, 'node dist/standalone/admin.js'],
])('the script %s of npm, and the file %s, are named %s in the help', async (script, program, name) => {
  const commandName = nameCommand(program, 'admin', script)
  expect(commandName).toBe(name)
  const { out } = await runAdminProgram(['create-key', '--help'], {
    commandName,
    settings: {},
    readInput: async () => '',
  })
  expect(out).toContain(`Usage: ${name} create-key `)
})

test('names the setting of a database that it cannot reach, without a stack', async () => {
  const settings = { DATABASE_URL: 'postgresql://subtext:swordfish@127.0.0.1:1/none' }
  expect(await admin('list-keys', { settings })).toEqual({
    code: 1,
    out: '',
    err: 'DATABASE_URL: cannot connect to PostgreSQL at 127.0.0.1:1 (connection refused).\n',
  })
})

describe('rotate-webhook-secret', () => {
  const rotate = (key: string) =>
    admin('rotate-webhook-secret --email fay@example.org', { settings: { WEBHOOK_SECRET_KEY: key } })
  beforeAll(() => createKey('--email fay@example.org --plan pro'))

  test('prints a new secret, encrypted with the key of the service', async () => {
    const { code, out } = await rotate(TEST_SECRET_KEY)
    expect([code, out]).toEqual([0, expect.stringMatching(/^whsec_[\w+/]{43}=\n$/)])
  })

  test('refuses a key that does not open what the service has stored, unless that key is lost', async () => {
    const otherKey = 'f'.repeat(64)
    await rotate(TEST_SECRET_KEY)
    const count = async () => (await database.db.query('SELECT FROM webhook_secrets')).rowCount
    const before = await count()
    const { code, out, err } = await rotate(otherKey)
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(/^WEBHOOK_SECRET_KEY does not open .* --lost-key .*\n$/)
    // An account without a secret would get one that the service cannot read, too.
    await createKey('--email gil@example.org --plan pro')
    const line = 'rotate-webhook-secret --email gil@example.org'
    expect(await admin(line, { settings: { WEBHOOK_SECRET_KEY: otherKey } })).toMatchObject({ code: 1, out: '' })
    expect(await count()).toBe(before)
    expect(await admin(`${line} --lost-key`, { settings: { WEBHOOK_SECRET_KEY: otherKey } })).toMatchObject({ code: 0 })
  })

  test('refuses a malformed key without repeating it', async () => {
    const { code, out, err } = await rotate('not-a-key')
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(/^WEBHOOK_SECRET_KEY: Must be 32 bytes/)
    expect(err).not.toContain('not-a-key')
  })
})

describe('sign-in-link', () => {
  const LINK = /^http:\/\/127\.0\.0\.1:3000\/auth\/link\?token=[0-9a-f]{64}\n$/

  test('prints a link alone, and says that it has created the account', async () => {
    const { code, out, err } = await admin('sign-in-link --email gus@example.org --plan pro')
    expect([code, out]).toEqual([0, expect.stringMatching(LINK)])
    expect(err).toMatch(/^gus@example\.org had no account\. It was created, on the pro plan\.\n/)
    const again = await admin('sign-in-link --email gus@example.org')
    expect([again.out, again.err]).toEqual([expect.stringMatching(LINK), expect.stringMatching(WRITTEN)])
    const { rows } = await database.db.query<{ plan: string }>(`SELECT plan FROM users WHERE email = 'gus@example.org'`)
    expect(rows).toEqual([{ plan: 'pro' }])
  })

  test('begins with the public address of the service', async () => {
    const settings = { PUBLIC_BASE_URL: 'https://subtext.example.org/' }
    const { out } = await admin('sign-in-link --email gus@example.org', { settings })
    expect(out).toMatch(/^https:\/\/subtext\.example\.org\/auth\/link\?token=/)
  })

  test('for support, refuses an account that does not exist or in which nobody has signed in', async () => {
    for (const email of ['nobody@example.org', 'gus@example.org']) {
      const { code, out } = await admin(`sign-in-link --support --email ${email}`)
      expect([email, code, out]).toEqual([email, 1, ''])
    }
  })
})

describe('an account', () => {
  const stateOf = async (email: string) => {
    const found = await database.db.query<{ quotas: (number | null)[]; suspended: string | null }>(
      `SELECT ARRAY[quota_daily, quota_monthly] AS quotas, suspended_for AS suspended FROM users WHERE email = $1`,
      [email],
    )
    return found.rows[0]
  }
  beforeAll(() => createKey('--email hal@example.org --plan pro'))

  test('gets quotas of its own, is suspended and restored, and all of it is recorded', async () => {
    const email = '--email hal@example.org'
    expect(await admin(`set-quota ${email}`)).toMatchObject({ code: 1, out: '' })
    expect((await admin(`set-quota ${email} --daily 100 --monthly 5`)).code).toBe(0)
    expect((await admin(`set-quota ${email} --monthly plan`)).code).toBe(0)
    expect((await admin(`suspend-account ${email} --reason Unpaid.`)).code).toBe(0)
    expect(await stateOf('hal@example.org')).toEqual({ quotas: [100, null], suspended: 'Unpaid.' })
    expect((await admin(`sign-in-link ${email}`)).code).toBe(1)
    expect((await admin(`restore-account ${email}`)).code).toBe(0)
    const { out, err } = await admin(`list-actions --json ${email}`)
    expect(err).toBe('')
    const actions: { action: string; command_by: string; account_email: string }[] = JSON.parse(out)
    expect(actions.map(({ action }) => action)).toEqual([
      'restore_account',
      'suspend_account',
      'change_account',
      'change_account',
      'create_key',
    ])
    for (const { command_by, account_email } of actions) {
      expect([command_by, account_email]).toEqual([expect.stringMatching(/^\S.* on \S+$/), 'hal@example.org'])
    }
    expect((await admin('list-actions')).out).toMatch(/suspend_account +hal@example\.org +\{"reason":"Unpaid\."\}/)
  })

  test('is deleted only when the person confirms it', async () => {
    const command = 'delete-account --email hal@example.org'
    expect(await admin(command)).toMatchObject({ code: 1, err: expect.stringContaining('add --yes') })
    expect(await admin(command, { answer: 'n' })).toMatchObject({ code: 1, err: 'Nothing was done.\n' })
    expect(await stateOf('hal@example.org')).toBeDefined()
    expect(await admin(command, { answer: ' Yes' })).toMatchObject({ code: 0, out: expect.stringContaining('deleted') })
    expect(await stateOf('hal@example.org')).toBeUndefined()
    expect((await admin(`${command} --yes`)).code).toBe(1)
  })
})
