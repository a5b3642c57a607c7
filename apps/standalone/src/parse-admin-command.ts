import { SCOPES, Scope } from '@subtext/contracts'
import { type KeyChange, parseKeySelector } from '@subtext/core/api-keys'
import { nameScript } from '@subtext/runtime'
import { CommanderError, InvalidArgumentError, Option, Command as Parser } from 'commander'
import { type CreateKeyOptions, changeSelectedKey, createKey, listKeys, sendDigests } from './admin-commands.ts'
import type { AdminCommand } from './admin-context.ts'
import { email, parseEmail, plan } from './admin-options.ts'
import { type Expiry, parseExpiryDuration, parseExpiryTime } from './expiry.ts'
import { addAccountCommands } from './parse-account-command.ts'

/** The command line is invalid. The message says how, and how to find help. */
export class InvalidCommandError extends Error {}

const KEY_HELP = `
A KEY is the ID of a key or its visible part (sk_1a2b3c or sk_1a2b3c…9f0e), as printed by list-keys, or - to read the whole
key from standard input.`

/** Parses a command line, or returns the help that it asks for. Throws `InvalidCommandError` before any connection is opened. */
export function parseCommand(
  args: string[],
  name = nameScript('admin'),
): { command: Parsed; yes: boolean } | { help: string } {
  let parsed: Parsed | undefined
  const written = { out: '', err: '' }
  // Commands inherit these settings when they are added.
  const parser = new Parser(name).exitOverride().configureOutput({
    writeOut: (text) => {
      written.out += text
    },
    writeErr: (text) => {
      written.err += text
    },
  })
  addCommands(parser, (command) => {
    parsed = command
  })
  try {
    parser.parse(args, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return { help: written.out.trimEnd() }
    throw new InvalidCommandError(written.err.trimEnd())
  }
  if (!parsed) throw new Error('A command was parsed without an action.')
  return { command: parsed, yes: parser.opts<{ yes?: boolean }>().yes === true }
}

/** A command, or one that needs no database. */
type Parsed = AdminCommand | 'check-model'

/** Takes the command that was parsed. */
type Accept = (command: Parsed) => void

function addCommands(parser: Parser, accept: Accept): void {
  parser
    .description('Manages API keys and accounts.')
    .option('-y, --yes', 'do not ask: also use a database that no running service uses')
    .showHelpAfterError('(add --help for usage)')
    .addHelpText('after', '\nExit codes: 0 done, 1 refused or failed, 2 invalid usage.')
  parser
    .command('send-digests')
    .description('queue the email digests of subscriptions that are due at a time')
    .requiredOption('--at <time>', 'a time such as 2027-01-31T07:00:00Z', parseTime)
    .action(({ at }: { at: Expiry }) => accept(sendDigests(at)))
  parser
    .command('create-key')
    .description('print a new API key, which is shown only once')
    .addOption(email())
    .addOption(plan())
    .option('--scopes <scopes>', `one or more of ${SCOPES.join(', ')}, separated by commas`, parseScopes, [
      'read',
      'write',
    ])
    .option('--admin', 'add the scope admin')
    .option('--expires-in <duration>', 'let the key expire after a duration such as 12h, 90d or 4w', parseDuration)
    .addOption(
      new Option('--expires-at <time>', 'let the key expire at a time such as 2027-01-31 or 2027-01-31T12:00:00Z')
        .argParser(parseTime)
        .conflicts('expiresIn'),
    )
    .addHelpText(
      'after',
      '\nCreates the user if needed and moves an existing user to the plan. The free plan includes no API keys, so a key for it is only for tests.',
    )
    .action((options: CreateKeyOptions) => accept(createKey(options)))
  parser
    .command('list-keys')
    .description('list the keys of one user or of all users; the keys themselves are not stored')
    .addOption(new Option('--email <address>', 'list only the keys of this user').argParser(parseEmail))
    .option('--json', 'print JSON for scripts')
    .action((options: { email?: string; json?: boolean }) => accept(listKeys(options)))
  addKeyChange(
    parser,
    accept,
    'revoke',
    'revoke a key for good; takes effect everywhere within a second; subscriptions and feeds that it created go on',
  )
  addKeyChange(parser, accept, 'disable', 'suspend a key')
  addKeyChange(parser, accept, 'enable', 'restore a key that is disabled')
  addAccountCommands(parser, accept)
  parser
    .command('check-model')
    .description(
      'ask the configured language model a few questions; print what it supports, its speed and a sample summary',
    )
    .action(() => accept('check-model'))
}

function addKeyChange(parser: Parser, accept: Accept, change: KeyChange, text: string): void {
  parser
    .command(`${change}-key`)
    .description(text)
    .argument('<KEY>', 'the key', parseSelector)
    .addHelpText('after', KEY_HELP)
    .action((key: string) => accept(changeSelectedKey(change, key)))
}

function parseScopes(text: string): Scope[] {
  const scopes = Scope.array().safeParse(text.split(',').map((scope) => scope.trim()))
  if (!scopes.success) throw new InvalidArgumentError(`Use one or more of ${SCOPES.join(', ')}, separated by commas.`)
  return scopes.data
}

function parseSelector(text: string): string {
  if (text !== '-' && !parseKeySelector(text))
    throw new InvalidArgumentError('It is neither the ID of a key nor part of one.')
  return text
}

function parseDuration(text: string): Expiry {
  const expiry = parseExpiryDuration(text)
  if (!expiry) throw new InvalidArgumentError('Use a duration such as 12h, 90d or 4w.')
  return expiry
}

function parseTime(text: string): Expiry {
  const expiry = parseExpiryTime(text)
  if (!expiry) throw new InvalidArgumentError('Use a date or time such as 2027-01-31 or 2027-01-31T12:00:00Z.')
  return expiry
}
