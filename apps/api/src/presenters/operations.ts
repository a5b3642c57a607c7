import type { OperatedAccount, OperatedAccountDetails, Operations, OperatorAction } from '@subtext/contracts'
import type {
  OperatedAccountOverview,
  OperationsOverview,
  StoredAction,
  StoredOperatedAccount,
} from '@subtext/core/operations'
import { presentKey } from './account.ts'
import { presentQuotas, roundUsd } from './usage.ts'

export const presentOperations = ({ deliveries, accounts, keys, ...overview }: OperationsOverview): Operations => ({
  lanes: overview.lanes.map(({ lane, waiting, running, oldestWaitingSeconds }) => ({
    lane,
    waiting,
    running,
    oldest_waiting_seconds: Math.max(0, oldestWaitingSeconds),
  })),
  webhooks: {
    due: deliveries.due,
    scheduled: deliveries.scheduled,
    in_progress: deliveries.inProgress,
    oldest_due_seconds: Math.max(0, deliveries.oldestDueSeconds),
    failing_endpoints: overview.failingEndpoints.map((endpoint) => ({
      account_id: endpoint.userId,
      email: endpoint.email,
      url: endpoint.url,
      failing_since: endpoint.failingSince.toISOString(),
      failed_events: endpoint.failedEvents,
      disabled_at: endpoint.disabledAt?.toISOString() ?? null,
    })),
  },
  spending: {
    days: overview.days.map(({ date, videos, tokens, costUsd }) => ({
      date,
      videos,
      tokens,
      cost_usd: roundUsd(costUsd),
    })),
    models_last_hour: overview.modelsLastHour.map((spending) => ({
      model: spending.model,
      cost_usd: roundUsd(spending.costUsd),
      input_tokens: spending.inputTokens,
      output_tokens: spending.outputTokens,
      cached_input_tokens: spending.cachedInputTokens,
    })),
  },
  accounts: { total: Object.values(accounts).reduce((sum, count) => sum + count, 0), by_plan: accounts },
  keys,
})

export const presentOperatedAccount = (account: StoredOperatedAccount, now: Date): OperatedAccount => ({
  id: account.id,
  email: account.email,
  name: account.name,
  plan: account.plan,
  operator: account.isOperator,
  email_verified: account.emailVerified,
  suspended_at: account.suspendedAt?.toISOString() ?? null,
  created_at: account.createdAt.toISOString(),
  jobs_accepted: account.jobsAccepted,
  jobs_failed: account.jobsFailed,
  keys: account.keys.map((key) => presentKey(key, now)),
})

export const presentOperatedDetails = (account: OperatedAccountOverview, now: Date): OperatedAccountDetails => ({
  ...presentOperatedAccount(account, now),
  suspended_for: account.suspendedFor,
  quotas: presentQuotas(account.quotas),
  own_quotas: account.ownQuota,
  jobs_unfinished: account.jobsUnfinished,
  sessions: account.sessions,
  connected_apps: account.connectedApps,
})

export const presentAction = (action: StoredAction): OperatorAction => ({
  id: action.id,
  action: action.action,
  operator_id: action.operatorId,
  operator_email: action.operatorEmail,
  command_by: action.command,
  account_id: action.accountId,
  account_email: action.accountEmail,
  details: action.details,
  created_at: action.createdAt.toISOString(),
})
