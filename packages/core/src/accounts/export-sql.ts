import type { Sql } from '@subtext/db'

interface ExportedTable {
  /** The column with the account. Default: `user_id`. */
  owner?: string
  /** Columns after that of the account that identify a row, with their types. An index has them in this order, or the rows are few. */
  key: Record<string, string>
  /** Columns that are secret, or that concern only the service. */
  without?: string[]
  /** Only these rows, of which an index has those of an account. */
  only?: string
  /** Data that belongs to each row: its name in the export, and the SELECT that yields it as JSON. */
  with?: [name: string, select: string]
}

const BY_ID = { id: 'uuid' }

/** Tables whose rows are exported as they are stored. */
const TABLES = {
  api_keys: { key: BY_ID, without: ['hash'] },
  identities: { key: BY_ID, without: ['password'] },
  oauth_grants: { key: BY_ID },
  sessions: { key: BY_ID, without: ['token'] },
  // Who the operator was concerns the service.
  operator_actions: { owner: 'account_id', key: BY_ID, without: ['operator_id', 'command_by'] },
  emails: { key: BY_ID, without: ['sealed', 'key_id', 'lease_token', 'dedupe_key'] },
  batches: { key: BY_ID },
  webhook_secrets: { key: BY_ID, without: ['secret', 'sealed', 'key_id'] },
  // The body of an event repeats the result of its job.
  webhook_events: { key: BY_ID, without: ['body', 'traceparent'] },
  webhook_deliveries: {
    key: BY_ID,
    without: ['lease_token', 'receiver_key', 'endpoint_key', 'ready', 'forced', 'schedule_base'],
    with: [
      'attempt_log',
      `SELECT coalesce(jsonb_agg(to_jsonb(a) - 'delivery_id' ORDER BY a.attempt_no), '[]')
       FROM webhook_attempts a WHERE a.delivery_id = t.id`,
    ],
  },
  webhook_endpoints: { key: { key: 'uuid' }, without: ['key'] },
  idempotency_keys: { key: { key: 'text' }, without: ['request_hash', 'response', 'locked_until'] },
  account_sources: {
    key: BY_ID,
    without: ['source_id'],
    with: [
      'source',
      `SELECT jsonb_build_object('kind', s.kind, 'platform_id', s.platform_id, 'title', s.title, 'listed_at', s.listed_at)
       FROM sources s WHERE s.id = t.source_id`,
    ],
  },
  // Those about a single video are exported with its job.
  chat_conversations: {
    key: BY_ID,
    without: ['job_id'],
    only: 'job_id IS NULL',
    with: [
      'exchanges',
      `SELECT coalesce(jsonb_agg(to_jsonb(e) - '{user_id,conversation_id,lease_token,lease_until,quota_day,cited_jobs}'::text[]
         ORDER BY e.position, e.id), '[]') FROM chat_exchanges e WHERE e.conversation_id = t.id AND e.status <> 'discarded'`,
    ],
  },
  digests: { key: BY_ID, without: ['lease_token', 'due_at', 'attempts', 'groups', 'cited_jobs'] },
  subscriptions: {
    key: BY_ID,
    without: ['stop_key'],
    with: [
      'items',
      `SELECT coalesce(jsonb_agg(to_jsonb(i) - 'subscription_id' - 'lease_token' ORDER BY i.id), '[]')
       FROM subscription_items i WHERE i.subscription_id = t.id`,
    ],
  },
  feeds: { key: BY_ID, without: ['token_hash'] },
  source_listings: { key: { starts_at: 'timestamptz' } },
  templates: {
    key: BY_ID,
    with: [
      'version_log',
      `SELECT coalesce(jsonb_agg(to_jsonb(v) - 'template_id' ORDER BY v.version), '[]')
       FROM template_versions v WHERE v.template_id = t.id`,
    ],
  },
  video_tables: { key: BY_ID },
  transcript_notes: { key: { transcript_id: 'uuid', key: 'bytea' }, without: ['key'] },
  quota_usage: { key: { period: 'quota_period', starts_on: 'date' } },
  spending_counters: { key: { scope: 'text', id: 'uuid', starts_on: 'date' } },
  spending_reservations: { key: BY_ID, without: ['scopes', 'scope_ids', 'scope_starts'] },
  endpoint_counts: { key: { api_key_id: 'uuid', day: 'date', endpoint: 'text' } },
  usage_rollups: { key: { span: 'rollup_span', api_key_id: 'uuid', starts_at: 'timestamptz' } },
} as const satisfies Record<string, ExportedTable>

export type ExportedTableName = keyof typeof TABLES
export const EXPORTED_TABLES = Object.keys(TABLES) as ExportedTableName[]

const ROWS_PER_PAGE = 200

function pageStatement(name: ExportedTableName): { text: string; columns: string[] } {
  const { owner = 'user_id', key, without = [], only, with: more }: ExportedTable = TABLES[name]
  const columns = Object.keys(key)
  const place = columns.map((column, at) => `$${at + 2}::text::${key[column]}`).join(', ')
  const left = [owner, ...without].map((column) => `'${column}'`).join(', ')
  const added = more ? ` || jsonb_build_object('${more[0]}', (${more[1]}))` : ''
  const list = columns.map((column) => `t.${column}`).join(', ')
  // Compares row values, so that an index that begins with the user is used, and not an index of the key alone.
  return {
    columns,
    text: `SELECT to_jsonb(t) - ARRAY[${left}]::text[]${added} AS row, ARRAY[${columns.map((column) => `t.${column}::text`).join(', ')}] AS place
      FROM ${name} t
      WHERE t.${owner} = $1${only ? ` AND t.${only}` : ''} AND ($2::text IS NULL OR (t.${owner}, ${list}) > ($1, ${place}))
      ORDER BY t.${owner}, ${list} LIMIT ${ROWS_PER_PAGE}`,
  }
}

/** Yields what a table holds about an account, in pages, without secrets. */
export async function* readOwnRows(sql: Sql, name: ExportedTableName, userId: string): AsyncGenerator<object[]> {
  const { text, columns } = pageStatement(name)
  let place: (string | null)[] = columns.map(() => null)
  for (;;) {
    const { rows } = await sql.query<{ row: object; place: string[] }>(text, [userId, ...place])
    if (rows.length > 0) yield rows.map(({ row }) => row)
    const last = rows.at(-1)
    if (!last || rows.length < ROWS_PER_PAGE) return
    place = last.place
  }
}
