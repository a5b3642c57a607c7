import { InvalidCommandError, parseCommand } from './parse-admin-command.ts'

const usageError = (line: string): string => {
  try {
    parseCommand(line.split(' ').filter(Boolean))
  } catch (error) {
    if (error instanceof InvalidCommandError) return error.message
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
    'set-quota --email a@example.org --daily 100 --monthly plan',
    'suspend-account --email a@example.org --reason Unpaid.',
    'restore-account --email a@example.org --yes',
    'delete-account --email a@example.org -y',
    'sign-in-link --email a@example.org',
    'sign-in-link --email a@example.org --plan pro',
    'sign-in-link --email a@example.org --support --reason Ticket',
    'list-actions',
    'list-actions --json --email a@example.org',
    'set-operator --email a@example.org',
    'set-operator --email a@example.org --off',
    'invite --email a@example.org',
    'rotate-webhook-secret --email a@example.org',
    'rotate-webhook-secret --email a@example.org --lost-key',
    'check-model',
  ])('accepts %s', (line) => {
    expect(usageError(line)).toBe('')
  })

  test.each([
    ['', 'Usage:'],
    ['list-key', 'Did you mean list-keys?'],
    ['destroy', "unknown command 'destroy'"],
    ['constructor', "unknown command 'constructor'"],
    ['create-key --plan pro', '--email'],
    ['create-key --email nobody --plan pro', '--email'],
    ['create-key --email \u001b[31ma@example.org --plan pro', '--email'],
    ['create-key --email a\u202e@example.org --plan pro', '--email'],
    ['create-key --email a@example.org', '--plan'],
    ['create-key --email a@example.org --plan gold', '--plan'],
    ['create-key --email a@example.org --plan pro --scopes all', '--scopes'],
    ['create-key --email a@example.org --plan pro --scopes=', '--scopes'],
    ['create-key --email a@example.org --plan pro --expires-in soon', '--expires-in'],
    ['create-key --email a@example.org --plan pro --expires-in 1d --expires-at 2099-01-01', '--expires-in'],
    ['create-key --email a@example.org --plan pro --json', '--json'],
    ['create-key --email a@example.org --plan pro more', 'too many arguments'],
    ['list-keys --plan pro', '--plan'],
    ['revoke-key', "missing required argument 'KEY'"],
    ['revoke-key me', 'neither the ID of a key'],
    ['revoke-key sk_1a2b3c sk_1a2b3d', 'too many arguments'],
    ['revoke-key sk_1a2b3c --email a@example.org', '--email'],
    ['set-plan --email a@example.org', '--plan'],
    ['set-operator --off', '--email'],
    ['set-quota --email a@example.org --daily -1', '--daily'],
    ['set-quota --email a@example.org --daily 1000000001', '--daily'],
    ['set-quota --email a@example.org --monthly many', '--monthly'],
    ['suspend-account --reason Unpaid.', '--email'],
    ['suspend-account --email a@example.org --reason=', '--reason'],
    ['sign-in-link --plan pro', '--email'],
    ['rotate-webhook-secret', '--email'],
    ['check-model now', 'too many arguments'],
  ])('refuses %j', (line, words) => {
    expect(usageError(line)).toContain(words)
  })

  test('shows all commands, and the options of each', () => {
    const helpOf = (...args: string[]): string => {
      const parsed = parseCommand(args)
      return 'help' in parsed ? parsed.help : ''
    }
    for (const args of [['--help'], ['-h'], ['help']]) {
      for (const name of COMMANDS) expect(helpOf(...args)).toMatch(new RegExp(`^  ${name} `, 'm'))
    }
    for (const name of COMMANDS) {
      expect(helpOf(name, '--help')).toMatch(new RegExp(`^Usage: npm run --silent admin -- ${name} `))
      expect(helpOf('help', name)).toBe(helpOf(name, '--help'))
    }
    expect(helpOf('create-key', '--help')).toContain('--expires-at <time>')
    expect(helpOf('revoke-key', '--help')).toContain('sk_1a2b3c…9f0e')
  })

  test('refuses a wrong command line with one message and a hint at --help', () => {
    const message = usageError('create-key --email a@example.org --plan gold')
    expect(message.split('\n').filter(Boolean)).toEqual([
      "error: option '--plan <plan>' argument 'gold' is invalid. Allowed choices are free, plus, pro.",
      '(add --help for usage)',
    ])
  })
})

const COMMANDS = [
  'create-key',
  'list-keys',
  'revoke-key',
  'disable-key',
  'enable-key',
  'set-plan',
  'set-quota',
  'suspend-account',
  'restore-account',
  'delete-account',
  'sign-in-link',
  'list-actions',
  'invite',
  'set-operator',
  'rotate-webhook-secret',
  'check-model',
]
