import type { z } from 'zod'
import type { OperatedAccountDetails, OperatorAction } from '../routes/operated-accounts.ts'
import { ACCOUNT } from './account.ts'
import type { OperationExamples } from './operation-examples.ts'
import { OPERATED_ACCOUNT } from './operations.ts'

const DETAILS: z.input<typeof OperatedAccountDetails> = {
  ...OPERATED_ACCOUNT,
  suspended_for: null,
  quotas: { ...ACCOUNT.quotas, daily: { ...ACCOUNT.quotas.daily, limit: 100, remaining: 98 } },
  own_quotas: { daily: 100, monthly: null },
  jobs_unfinished: 2,
  sessions: 1,
  connected_apps: 0,
}

const SUSPENDED: z.input<typeof OperatedAccountDetails> = {
  ...DETAILS,
  suspended_at: '2026-01-14T10:20:00.000Z',
  suspended_for: 'Invoice 2026-114 is unpaid.',
  sessions: 0,
}

const ACTION: z.input<typeof OperatorAction> = {
  id: '0193a1f1-10aa-7c3d-9e4f-5a6b7c8d9e10',
  action: 'suspend_account',
  operator_id: '0193a1ee-22bb-7c3d-9e4f-5a6b7c8d9e11',
  operator_email: 'grace@example.org',
  command_by: null,
  account_id: OPERATED_ACCOUNT.id,
  account_email: OPERATED_ACCOUNT.email,
  details: { reason: 'Invoice 2026-114 is unpaid.' },
  created_at: '2026-01-14T10:20:00.000Z',
}

/** Examples of what operators do with accounts. */
export const OPERATED_ACCOUNTS_EXAMPLES: Record<string, OperationExamples> = {
  getOperatedAccount: {
    response: 'The account.',
    data: { own_quota: { summary: 'With a daily quota of its own.', value: DETAILS } },
  },
  updateOperatedAccount: {
    response: 'The changed account.',
    bodies: { plan_quota: { summary: 'Back to the quota of the plan.', value: { quotas: { daily: null } } } },
    data: { changed: { summary: 'With a daily quota of its own.', value: DETAILS } },
  },
  suspendAccount: {
    response: 'The suspended account.',
    data: { suspended: { summary: 'Suspended.', value: SUSPENDED } },
  },
  restoreAccount: {
    response: 'The restored account.',
    data: { restored: { summary: 'Restored.', value: DETAILS } },
  },
  deleteOperatedAccount: {
    response: 'The account is deleted.',
    data: { deleted: { summary: 'Deleted.', value: { deleted: true } } },
  },
  createSupportLink: {
    response: 'The link.',
    data: {
      link: {
        summary: 'A link for support.',
        value: {
          url: 'https://api.example.org/auth/link?token=5f2b0c9d5f2b0c9d5f2b0c9d5f2b0c9d5f2b0c9d5f2b0c9d5f2b0c9d5f2b0c9d',
          expires_at: '2026-01-14T10:35:00.000Z',
        },
      },
    },
  },
  listOperatorActions: {
    response: 'A page of actions.',
    data: {
      page: {
        summary: 'The only page.',
        value: {
          actions: [ACTION],
          pagination: { total: 1, limit: 20, offset: 0, has_more: false, next_offset: null, next_cursor: null },
        },
      },
    },
  },
}
