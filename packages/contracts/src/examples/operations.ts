import type { z } from 'zod'
import { type OperatedAccount, type Operations, SPENDING_DAYS } from '../routes/operations.ts'
import { ACCOUNT, ACCOUNT_KEY } from './account.ts'
import type { OperationExamples } from './operation-examples.ts'

const DAY_MS = 86_400_000
const dayBefore = (days: number): string => new Date(Date.UTC(2026, 0, 14) - days * DAY_MS).toISOString().slice(0, 10)

const OPERATIONS: z.input<typeof Operations> = {
  lanes: [
    { lane: 'high', waiting: 0, running: 3, oldest_waiting_seconds: 0 },
    { lane: 'normal', waiting: 1_204, running: 40, oldest_waiting_seconds: 312.5 },
  ],
  webhooks: {
    due: 2,
    scheduled: 17,
    in_progress: 1,
    oldest_due_seconds: 0.4,
    failing_endpoints: [
      {
        account_id: ACCOUNT.user.id,
        email: ACCOUNT.user.email,
        url: 'https://hooks.example.org/subtext',
        failing_since: '2026-01-13T21:14:09.120Z',
        failed_events: 31,
        disabled_at: null,
      },
    ],
  },
  spending: {
    days: Array.from({ length: SPENDING_DAYS }, (_, days) => ({
      date: dayBefore(days),
      videos: days === 0 ? 8_120 : 0,
      tokens: days === 0 ? 41_200_000 : 0,
      cost_usd: days === 0 ? 21.42 : 0,
    })),
    models_last_hour: [
      {
        model: 'claude-haiku-5-5',
        cost_usd: 1.204_1,
        input_tokens: 912_400,
        output_tokens: 88_020,
        cached_input_tokens: 1_204_000,
      },
    ],
  },
  accounts: { total: 412, by_plan: { free: 380, plus: 24, pro: 8 } },
  keys: { active: 51, disabled: 1, expired: 4, revoked: 12 },
}

export const OPERATED_ACCOUNT: z.input<typeof OperatedAccount> = {
  id: ACCOUNT.user.id,
  email: ACCOUNT.user.email,
  name: ACCOUNT.user.name,
  plan: ACCOUNT.plan,
  operator: false,
  email_verified: true,
  suspended_at: null,
  created_at: ACCOUNT.user.created_at,
  jobs_accepted: 17,
  jobs_failed: 1,
  keys: [ACCOUNT_KEY],
}

/** Examples of the operations for operators of the service. */
export const OPERATIONS_EXAMPLES: Record<string, OperationExamples> = {
  getOperations: {
    response: 'The current numbers.',
    data: { busy: { summary: 'With a backlog.', value: OPERATIONS } },
  },
  listAccounts: {
    response: 'A page of all accounts.',
    data: {
      page: {
        summary: 'The only page.',
        value: {
          accounts: [OPERATED_ACCOUNT],
          pagination: { total: 1, limit: 20, offset: 0, has_more: false, next_offset: null, next_cursor: null },
        },
      },
    },
  },
}
