import { PLAN_NAMES } from '@subtext/contracts'
import { InvalidArgumentError, Option } from 'commander'

export const plan = (): Option =>
  new Option('--plan <plan>', 'plan of the user').choices(PLAN_NAMES).makeOptionMandatory()
export const email = (text = 'email address of the user'): Option =>
  new Option('--email <address>', text).argParser(parseEmail).makeOptionMandatory()

export function parseEmail(text: string): string {
  const address = text.trim().toLowerCase()
  if (!/^[^\s\p{C}@]+@[^\s\p{C}@]+$/u.test(address)) throw new InvalidArgumentError('It is not an email address.')
  return address
}
