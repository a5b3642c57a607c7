import type { Dashboard } from './build-dashboard.ts'
import { perMinute, quantile } from './queries.ts'

export const FEATURES: Dashboard = {
  uid: 'subtext-features',
  title: 'Subtext: sign-in, chat, documents and MCP',
  panels: [
    {
      title: 'Attempts to sign in per minute',
      unit: 'short',
      stacked: true,
      queries: { '{{way}} {{outcome}}': perMinute('subtext_sign_ins_total', 'way, outcome') },
    },
    {
      title: 'Attempts to send emails per minute',
      unit: 'short',
      stacked: true,
      queries: { '{{outcome}}': perMinute('subtext_emails_total', 'outcome') },
    },
    {
      title: 'Answers in chats per minute',
      unit: 'short',
      stacked: true,
      queries: { '{{kind}}': perMinute('subtext_chat_answers_total', 'kind') },
    },
    {
      title: 'Time to the first sentence of an answer',
      unit: 's',
      queries: {
        median: quantile(0.5, 'subtext_chat_first_text_seconds'),
        p95: quantile(0.95, 'subtext_chat_first_text_seconds'),
      },
    },
    {
      title: 'Sentences of answers not shown per minute',
      unit: 'short',
      stacked: true,
      queries: { '{{reason}}': perMinute('subtext_chat_dropped_sentences_total', 'reason') },
    },
    {
      title: 'Documents rendered per minute',
      unit: 'short',
      stacked: true,
      queries: { '{{template}} {{outcome}}': perMinute('subtext_render_seconds_count', 'template, outcome') },
    },
    {
      title: 'Duration of rendering, 95th percentile',
      unit: 's',
      queries: { '{{template}}': quantile(0.95, 'subtext_render_seconds', 'template') },
    },
    {
      title: 'Infographics of jobs per minute',
      unit: 'short',
      stacked: true,
      queries: { '{{outcome}}': perMinute('subtext_infographics_total', 'outcome') },
    },
    {
      title: 'Calls of MCP tools per minute',
      unit: 'short',
      stacked: true,
      queries: { '{{tool}} {{outcome}}': perMinute('subtext_mcp_tool_call_seconds_count', 'tool, outcome') },
    },
    {
      title: 'Duration of calls of MCP tools, 95th percentile',
      unit: 's',
      queries: { '{{tool}}': quantile(0.95, 'subtext_mcp_tool_call_seconds', 'tool') },
    },
    {
      title: 'Estimates per minute',
      unit: 'short',
      stacked: true,
      queries: { '{{verdict}}': perMinute('subtext_estimates_total', 'verdict') },
    },
    {
      title: 'Exports per minute',
      unit: 'short',
      stacked: true,
      queries: { '{{of}} {{outcome}}': perMinute('subtext_result_exports_total', 'of, outcome') },
    },
    {
      title: 'Operations on files per minute',
      unit: 'short',
      queries: { '{{operation}} {{outcome}}': perMinute('subtext_blob_operations_total', 'operation, outcome') },
    },
  ],
}
