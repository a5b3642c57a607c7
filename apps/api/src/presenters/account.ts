import { type Account, type AccountKey, type AccountSession, type ConnectedApp, PLANS } from '@subtext/contracts'
import { type AccountOverview, recentUntil, type StoredSession } from '@subtext/core/accounts'
import { type StoredApiKey, stateOfKey } from '@subtext/core/api-keys'
import type { SignedInActor } from '@subtext/core/context'
import { describeRedirect, type StoredConnectedApp } from '@subtext/core/oauth'
import { presentQuotas } from './usage.ts'

export const presentAccount = (account: AccountOverview, actor: SignedInActor): Account => ({
  user: {
    id: account.id,
    email: account.email,
    name: account.name,
    created_at: account.createdAt.toISOString(),
    sign_in_ways: account.signInWays,
  },
  plan: account.plan,
  operator: actor.session.isOperator,
  features: [...PLANS[account.plan].features],
  summary_modes: [...PLANS[account.plan].summaryModes],
  quotas: presentQuotas(account.quotas),
  time_zone: account.timeZone,
  monthly_limit_usd: account.monthlyLimitUsd,
  session: {
    id: actor.session.id,
    support: actor.session.isSupport,
    expires_at: actor.session.expiresAt.toISOString(),
    recent_until: recentUntil(actor).toISOString(),
  },
})

export const presentKey = (key: StoredApiKey, now: Date): AccountKey => ({
  id: key.id,
  name: key.name,
  prefix: key.prefix,
  last_four: key.lastFour,
  scopes: key.scopes,
  status: stateOfKey(key, now),
  created_at: key.createdAt.toISOString(),
  expires_at: key.expiresAt?.toISOString() ?? null,
  last_used_at: key.lastUsedAt?.toISOString() ?? null,
})

export const presentApp = (app: StoredConnectedApp): ConnectedApp => ({
  id: app.id,
  name: app.name,
  client_id: app.clientId,
  place: describeRedirect(app.redirectUri),
  scopes: app.scopes,
  connected_at: app.createdAt.toISOString(),
  last_used_at: app.lastUsedAt?.toISOString() ?? null,
})

export const presentSession = (session: StoredSession, actor: SignedInActor): AccountSession => ({
  id: session.id,
  current: session.id === actor.session.id,
  support: session.supportUntil !== null,
  created_at: session.createdAt.toISOString(),
  expires_at: (session.supportUntil ?? session.expiresAt).toISOString(),
  ip_address: session.ipAddress,
  user_agent: session.userAgent,
})
