import type { OperatorAction, OperatorActionName } from '@subtext/sdk'

const ACTIONS: Record<OperatorActionName, string> = {
  create_first_owner: 'Created the first account',
  create_owner_link: 'Created a sign-in link for the owner',
  create_support_link: 'Created a link for support',
  change_account: 'Changed the plan or quotas',
  suspend_account: 'Suspended the account',
  restore_account: 'Restored the account',
  delete_account: 'Deleted the account',
  set_operator: 'Changed the rights of an operator',
  invite: 'Invited somebody',
  create_key: 'Created an API key',
  change_key: 'Changed an API key',
  rotate_webhook_secret: 'Rotated the webhook secret',
}

export const describeAction = ({ action }: OperatorAction): string => ACTIONS[action]

const isChange = (value: unknown): value is { from: unknown; to: unknown } =>
  typeof value === 'object' && value !== null && 'from' in value && 'to' in value

const describeValue = (value: unknown): string => {
  if (value === null) return 'as in the plan'
  return Array.isArray(value) ? value.join(', ') : String(value)
}

/** Describes what changed, such as "plan: plus to pro". */
export const describeDetails = ({ details }: OperatorAction): string =>
  Object.entries(details)
    .map(([name, value]) => {
      const shown = isChange(value)
        ? `${describeValue(value.from)} to ${describeValue(value.to)}`
        : describeValue(value)
      return `${name.replaceAll('_', ' ')}: ${shown}`
    })
    .join(' · ')
