import { PLAN_NAMES } from '@subtext/contracts'
import { InvalidArgumentError, Option, type Command as Parser } from 'commander'
import {
  invite,
  type LinkOptions,
  makeOperator,
  movePlan,
  type QuotaOptions,
  removeAccount,
  restore,
  rotateSecret,
  setQuota,
  showActions,
  signInLink,
  suspend,
} from './account-commands.ts'
import type { AdminCommand } from './admin-context.ts'
import { email, parseEmail, plan } from './admin-options.ts'

/** Takes the command that was parsed. */
type Accept = (command: AdminCommand) => void

const MAX_VIDEOS = 1_000_000_000
const MAX_REASON_LENGTH = 500

const reason = (): Option =>
  new Option('--reason <text>', 'why; it is recorded, and in the export of the account').argParser(parseReason)

/** Adds the commands about accounts. */
export function addAccountCommands(parser: Parser, accept: Accept): void {
  addSignInCommands(parser, accept)
  parser
    .command('set-plan')
    .description('move a user to another plan; takes effect within a second')
    .addOption(email())
    .addOption(plan())
    .action((options: Parameters<typeof movePlan>[0]) => accept(movePlan(options)))
  parser
    .command('set-quota')
    .description('give an account quotas of its own; takes effect within a second')
    .addOption(email())
    .addOption(new Option('--daily <videos>', 'videos per UTC day, or "plan"').argParser(parseQuota))
    .addOption(new Option('--monthly <videos>', 'videos per calendar month, or "plan"').argParser(parseQuota))
    .action((options: { email: string } & QuotaOptions) => accept(setQuota(options)))
  parser
    .command('suspend-account')
    .description('end the sessions of an account within a second, and refuse its keys, applications and links')
    .addOption(email())
    .addOption(reason())
    .action((options: { email: string; reason?: string }) => accept(suspend(options)))
  parser
    .command('restore-account')
    .description('end the suspension of an account')
    .addOption(email())
    .action((options: { email: string }) => accept(restore(options)))
  parser
    .command('delete-account')
    .description('delete an account with its jobs, results and keys; it asks first')
    .addOption(email())
    .action((options: { email: string }) => accept(removeAccount(options)))
  parser
    .command('rotate-webhook-secret')
    .description('print a new webhook secret; for 24 hours deliveries are signed with the previous secret as well')
    .addOption(email())
    .option('--lost-key', 'replace a secret that WEBHOOK_SECRET_KEY does not open, because its key is lost')
    .action((options: Parameters<typeof rotateSecret>[0]) => accept(rotateSecret(options)))
  parser
    .command('list-actions')
    .description('list the last 100 things that operators did, in the dashboard and with these commands')
    .addOption(new Option('--email <address>', 'list only what was done to this user').argParser(parseEmail))
    .option('--json', 'print JSON for scripts')
    .action((options: { email?: string; json?: boolean }) => accept(showActions(options)))
}

function addSignInCommands(parser: Parser, accept: Accept): void {
  parser
    .command('sign-in-link')
    .description('print a link that signs a user in, once, within 15 minutes; no email is needed')
    .addOption(email())
    .addOption(new Option('--plan <plan>', 'plan of a new account').choices(PLAN_NAMES).default('free'))
    .option('--support', 'see the account of somebody else, for an hour, without changing anything')
    .addOption(reason())
    .addHelpText(
      'after',
      '\nCreates the account if the address has none, and says so. Whoever has the link is the owner: send it to nobody else.',
    )
    .action((options: LinkOptions) => accept(signInLink(options)))
  parser
    .command('invite')
    .description('let an address sign up while SIGN_UP=invite, for 30 days, and print the link to send to its owner')
    .addOption(email('address to invite'))
    .action((options: { email: string }) => accept(invite(options)))
  parser
    .command('set-operator')
    .description('let a user see and manage all accounts in the dashboard')
    .addOption(email())
    .option('--off', 'no longer')
    .action((options: { email: string; off?: boolean }) => accept(makeOperator(options)))
}

function parseQuota(text: string): number | 'plan' {
  if (text === 'plan') return text
  const videos = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (!(videos <= MAX_VIDEOS)) throw new InvalidArgumentError('Use a number of videos, or "plan" for that of the plan.')
  return videos
}

function parseReason(text: string): string {
  const trimmed = text.trim()
  if (trimmed === '' || trimmed.length > MAX_REASON_LENGTH || /\p{Cc}/u.test(trimmed)) {
    throw new InvalidArgumentError(`Use one line of up to ${MAX_REASON_LENGTH} characters.`)
  }
  return trimmed
}
