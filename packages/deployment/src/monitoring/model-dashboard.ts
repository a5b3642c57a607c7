import type { Dashboard } from './build-dashboard.ts'
import { perMinute, quantile, rate } from './queries.ts'

export const MODEL: Dashboard = {
  uid: 'subtext-model',
  title: 'Subtext: model spend',
  panels: [
    {
      title: 'Dollars per hour',
      unit: 'currencyUSD',
      queries: { '{{model}}': `3600 * ${rate('subtext_model_cost_usd_total', 'model')}` },
    },
    {
      title: 'Dollars in the last 24 hours',
      unit: 'currencyUSD',
      queries: { '{{model}}': 'sum by (model) (increase(subtext_model_cost_usd_total[24h]))' },
    },
    {
      title: 'Calls beyond a spending limit, per minute',
      unit: 'short',
      stacked: true,
      queries: { '{{limit}}': perMinute('subtext_spending_refused_total', 'limit') },
    },
    {
      title: 'Tokens per minute',
      unit: 'short',
      stacked: true,
      queries: { '{{kind}}': perMinute('subtext_model_tokens_total', 'kind') },
    },
    {
      title: 'Calls per minute',
      unit: 'short',
      stacked: true,
      queries: { '{{outcome}}': perMinute('subtext_model_calls_total', 'outcome') },
    },
    {
      title: 'Duration of calls',
      unit: 's',
      queries: {
        '{{model}} median': quantile(0.5, 'subtext_model_call_seconds', 'model'),
        '{{model}} p95': quantile(0.95, 'subtext_model_call_seconds', 'model'),
      },
    },
    {
      title: 'Time to the first token',
      unit: 's',
      queries: {
        '{{model}} median': quantile(0.5, 'subtext_model_first_token_seconds', 'model'),
        '{{model}} p95': quantile(0.95, 'subtext_model_first_token_seconds', 'model'),
      },
    },
    {
      title: 'Calls waiting and in progress',
      unit: 'short',
      queries: { '{{state}}': 'sum by (state) (subtext_model_slots)', limit: 'max(subtext_model_slot_limit)' },
    },
    {
      title: 'Answers discarded per minute',
      unit: 'short',
      stacked: true,
      queries: { '{{reason}}': perMinute('subtext_model_unusable_answers_total', 'reason') },
    },
    {
      title: 'Transcripts that missed the cache, per minute',
      unit: 'short',
      queries: { '{{model}}': perMinute('subtext_model_uncached_prefixes_total', 'model') },
    },
  ],
}
