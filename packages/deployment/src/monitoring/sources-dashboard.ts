import type { Dashboard } from './build-dashboard.ts'
import { perMinute, quantile, rate } from './queries.ts'

export const SOURCES: Dashboard = {
  uid: 'subtext-sources',
  title: 'Subtext: sources, subscriptions, imports, library and digests',
  panels: [
    {
      title: 'Checks of sources per minute',
      unit: 'short',
      stacked: true,
      queries: { '{{method}} {{outcome}}': perMinute('subtext_source_checks_total', 'method, outcome') },
    },
    {
      title: 'Oldest check that is due',
      unit: 's',
      limit: 900,
      queries: { oldest: 'max(subtext_source_checks_oldest_due_seconds)' },
    },
    {
      title: 'Sources due to be checked',
      unit: 'short',
      queries: { due: 'max(subtext_source_checks_due)' },
    },
    {
      title: 'Items of subscriptions per minute',
      unit: 'short',
      stacked: true,
      queries: { '{{state}}': perMinute('subtext_subscription_items_total', 'state') },
    },
    {
      title: 'Attempts to list sources and podcasts per minute',
      unit: 'short',
      stacked: true,
      queries: { '{{kind}} {{outcome}}': perMinute('subtext_source_listing_seconds_count', 'kind, outcome') },
    },
    {
      title: 'Duration of listing, 95th percentile',
      unit: 's',
      queries: { '{{kind}}': quantile(0.95, 'subtext_source_listing_seconds', 'kind') },
    },
    {
      title: 'Imports per minute',
      unit: 'short',
      stacked: true,
      queries: {
        accepted: `60 * ${rate('subtext_imports_accepted_total')}`,
        'refused: {{reason}}': perMinute('subtext_imports_refused_total', 'reason'),
      },
    },
    {
      title: 'Templates filled per minute',
      unit: 'short',
      stacked: true,
      queries: { '{{outcome}}': perMinute('subtext_extractions_total', 'outcome') },
    },
    {
      title: 'Searches in libraries per minute',
      unit: 'short',
      stacked: true,
      queries: { '{{kind}} {{outcome}}': perMinute('subtext_library_searches_total', 'kind, outcome') },
    },
    {
      title: 'Duration of searches in libraries, 95th percentile',
      unit: 's',
      queries: { '{{kind}}': quantile(0.95, 'subtext_library_search_seconds', 'kind') },
    },
    {
      title: 'Attempts at digests per minute',
      unit: 'short',
      stacked: true,
      queries: { '{{outcome}}': perMinute('subtext_digest_seconds_count', 'outcome') },
    },
    {
      title: 'Duration of completed digests',
      unit: 's',
      queries: {
        median: quantile(0.5, 'subtext_digest_seconds', '', '{outcome="completed"}'),
        p95: quantile(0.95, 'subtext_digest_seconds', '', '{outcome="completed"}'),
      },
    },
  ],
}
