import type { z } from 'zod'
import type { Account, AccountKey, AccountSession, CreatedKey } from '../routes/account.ts'
import type { ConnectedApp } from '../routes/connected-apps.ts'
import type { OperationExamples } from './operation-examples.ts'

const RESETS = { day: '2026-01-15T00:00:00.000Z', month: '2026-02-01T00:00:00.000Z' }
const SESSION_ID = '0193a1f0-5d3c-7f11-8c2e-90a1b2c3d4e5'

export const ACCOUNT: z.input<typeof Account> = {
  user: {
    id: '0193a1ef-11aa-7c3d-9e4f-5a6b7c8d9e0f',
    email: 'ada@example.org',
    name: 'Ada Lovelace',
    created_at: '2025-12-01T09:00:00.000Z',
    sign_in_ways: ['password', 'magic_link'],
  },
  plan: 'plus',
  operator: false,
  features: ['api_keys'],
  summary_modes: ['tldr', 'detailed', 'study_notes', 'timestamped', 'key_insights'],
  quotas: {
    daily: { limit: 10, used: 2, remaining: 8, reset_at: RESETS.day },
    monthly: { limit: 50, used: 17, remaining: 33, reset_at: RESETS.month },
  },
  time_zone: 'Europe/Berlin',
  monthly_limit_usd: 20,
  session: {
    id: SESSION_ID,
    support: false,
    expires_at: '2026-01-21T10:00:00.000Z',
    recent_until: '2026-01-14T10:10:00.000Z',
  },
}

export const ACCOUNT_KEY: z.input<typeof AccountKey> = {
  id: '0193a1f0-6e2b-7a90-b1c2-d3e4f5a6b7c8',
  name: 'Nightly import',
  prefix: 'sk_1a2b3c',
  last_four: '9f0e',
  scopes: ['read', 'write'],
  status: 'active',
  created_at: '2026-01-14T10:02:00.000Z',
  expires_at: null,
  last_used_at: null,
}

const CREATED_KEY: z.input<typeof CreatedKey> = {
  ...ACCOUNT_KEY,
  key: `sk_1a2b3c${'0'.repeat(54)}9f0e`,
}

export const ACCOUNT_SESSION: z.input<typeof AccountSession> = {
  id: SESSION_ID,
  current: true,
  support: false,
  created_at: '2026-01-14T10:00:00.000Z',
  expires_at: '2026-01-21T10:00:00.000Z',
  ip_address: '203.0.113.7',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
}

const CONNECTED_APP: z.input<typeof ConnectedApp> = {
  id: '0193a1f0-7f4d-7b21-8d3e-a4b5c6d7e8f9',
  name: 'Claude Code',
  client_id: '0193a1f0-7e3c-7a10-9c2d-93a4b5c6d7e8',
  place: 'a program on this computer',
  scopes: ['read', 'write'],
  connected_at: '2026-01-14T10:05:00.000Z',
  last_used_at: '2026-01-14T10:06:00.000Z',
}

/** Examples of the operations on accounts. */
export const ACCOUNT_EXAMPLES: Record<string, OperationExamples> = {
  getAccount: { response: 'The account.', data: { plus: { summary: 'On the Plus plan.', value: ACCOUNT } } },
  updateAccount: { response: 'The changed account.', data: { plus: { summary: 'On the Plus plan.', value: ACCOUNT } } },
  deleteAccount: {
    response: 'The account is deleted, and the session has ended.',
    data: { deleted: { summary: 'Deleted.', value: { deleted: true } } },
  },
  listApiKeys: { response: 'Your keys.', data: { one: { summary: 'A single key.', value: { keys: [ACCOUNT_KEY] } } } },
  createApiKey: {
    response: 'The key, which is not shown again.',
    data: { created: { summary: 'A key that does not expire.', value: CREATED_KEY } },
  },
  updateApiKey: {
    response: 'The changed key.',
    data: { disabled: { summary: 'Disabled.', value: { ...ACCOUNT_KEY, status: 'disabled' } } },
  },
  revokeApiKey: {
    response: 'The revoked key.',
    data: { revoked: { summary: 'Revoked.', value: { ...ACCOUNT_KEY, status: 'revoked' } } },
  },
  listSessions: {
    response: 'Your sessions.',
    data: { one: { summary: 'A single browser.', value: { sessions: [ACCOUNT_SESSION] } } },
  },
  endSession: {
    response: 'The session has ended.',
    data: { ended: { summary: 'Ended.', value: { ended: true } } },
  },
  listConnectedApps: {
    response: 'Your connected applications.',
    data: { one: { summary: 'A single application.', value: { apps: [CONNECTED_APP] } } },
  },
  disconnectApp: {
    response: 'The application can no longer act for you.',
    data: { disconnected: { summary: 'Disconnected.', value: { disconnected: true } } },
  },
}
