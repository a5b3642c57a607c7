import { parseCommand, USAGE, UsageError } from './admin-commands.ts'

const usageError = (line: string): string => {
  try {
    parseCommand(line.split(' ').filter(Boolean))
  } catch (error) {
    if (error instanceof UsageError) return error.message
    throw error
  }
  return ''
}

describe('parseCommand', () => {
  test.each([
    'create-key --email a@example.org --plan pro',
    'create-key --email=A@Example.org --plan free --admin',
    'create-key --plan plus --email a@example.org --scopes read',
    'create-key --plan plus --email a@example.org --scopes read,write --expires-in 90d',
    'create-key --plan plus --email a@example.org --expires-at 2099-01-31',
    'list-keys',
    'list-keys --json --email a@example.org',
    'revoke-key 01890a5d-ac96-774b-bcce-b302099a8057',
    'revoke-key sk_1a2b3c',
    'revoke-key sk_1a2b3c…9f0e',
    'revoke-key -',
    'disable-key sk_1a2b3c...9f0e',
    'enable-key sk_1a2b3c',
    'set-plan --email a@example.org --plan plus',
    'set-operator --email a@example.org',
    'set-operator --email a@example.org --off',
    'invite --email a@example.org',
    'rotate-webhook-secret --email a@example.org',
  ])('accepts %s', (line) => {
    expect(usageError(line)).toBe('')
  })

  test.each([
    ['', 'Name a command.'],
    ['destroy', 'There is no command destroy.'],
    ['constructor', 'There is no command constructor.'],
    ['create-key --plan pro', '--email'],
    ['create-key --email nobody --plan pro', '--email'],
    ['create-key --email a@example.org', '--plan'],
    ['create-key --email a@example.org --plan gold', '--plan'],
    ['create-key --email a@example.org --plan pro --scopes all', '--scopes'],
    ['create-key --email a@example.org --plan pro --scopes=', '--scopes'],
    ['create-key --email a@example.org --plan pro --expires-in soon', '--expires-in'],
    ['create-key --email a@example.org --plan pro --expires-in 1d --expires-at 2099-01-01', '--expires-in'],
    ['create-key --email a@example.org --plan pro --json', '--json'],
    ['create-key --email a@example.org --plan pro more', 'does not take more'],
    ['list-keys --plan pro', '--plan'],
    ['revoke-key', 'needs a KEY'],
    ['revoke-key me', 'me is neither'],
    ['revoke-key sk_1a2b3c sk_1a2b3d', 'one KEY'],
    ['revoke-key sk_1a2b3c --email a@example.org', '--email'],
    ['set-plan --email a@example.org', '--plan'],
    ['set-operator --off', '--email'],
    ['rotate-webhook-secret', '--email'],
  ])('refuses %j', (line, words) => {
    expect(usageError(line)).toContain(words)
  })

  test('lists every command in the usage text', () => {
    for (const name of ['create-key', 'list-keys', 'revoke-key', 'disable-key', 'enable-key', 'set-plan']) {
      expect(USAGE).toContain(name)
    }
    expect(USAGE).toContain('rotate-webhook-secret')
  })
})
