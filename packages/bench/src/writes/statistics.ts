import { databaseUrl } from '@subtext/db/testing'
import pg from 'pg'

/** What PostgreSQL has counted for one database, and for the log of the whole server, since it was started. */
export interface WriteCounts {
  statements: number
  transactions: number
  /** Of the write-ahead log. Transactions that commit together share one. */
  fsyncs: number
  walBytes: number
  /** Inserted, updated and deleted. */
  rows: number
  /** Size of the database. */
  storedBytes: number
}

export interface StatementCount {
  text: string
  calls: number
  walBytes: number
}

/** The records of the write-ahead log about one table or index, or of one kind that is about neither. */
export interface LogShare {
  name: string
  records: number
  /** Without full-page images. */
  walBytes: number
  imageBytes: number
}

/** Reads the statistics over a connection to another database, so that reading does not count. */
export interface WriteStatistics {
  read(): Promise<WriteCounts>
  /** Forgets the statements executed so far. */
  resetStatements(): Promise<void>
  /** Lists the statements executed since, most frequent first. */
  listStatements(): Promise<StatementCount[]>
  /** Returns the place in the log that the next record gets. */
  findLogEnd(): Promise<string>
  /** Says which tables and indexes the records of the log since `start` are about, largest share first. */
  listLogShares(start: string): Promise<LogShare[]>
  /** Writes a checkpoint, so that none falls into the measured time. */
  checkpoint(): Promise<void>
  close(): Promise<void>
}

const READ = `
SELECT
  (SELECT coalesce(sum(calls), 0)::float8 FROM pg_stat_statements s WHERE s.dbid = d.oid) AS statements,
  (xact_commit + xact_rollback)::float8 AS transactions,
  (SELECT coalesce(sum(fsyncs), 0)::float8 FROM pg_stat_io WHERE object = 'wal') AS fsyncs,
  (pg_current_wal_insert_lsn() - '0/0')::float8 AS "walBytes",
  (tup_inserted + tup_updated + tup_deleted)::float8 AS rows,
  pg_database_size(d.oid)::float8 AS "storedBytes"
FROM pg_stat_database JOIN pg_database d ON d.oid = datid WHERE d.datname = $1`

const LIST = `
SELECT query AS text, calls::float8, wal_bytes::float8 AS "walBytes" FROM pg_stat_statements
WHERE dbid = (SELECT oid FROM pg_database WHERE datname = $1) ORDER BY calls DESC, query`

// A record about several relations counts for the first one.
const LIST_LOG = `
WITH block AS (
  SELECT DISTINCT ON (start_lsn) start_lsn, pg_filenode_relation(reltablespace, relfilenode) AS relation
  FROM pg_get_wal_block_info($1, pg_current_wal_flush_lsn())
  WHERE reldatabase = (SELECT oid FROM pg_database WHERE datname = current_database())
  ORDER BY start_lsn, block_id
)
SELECT coalesce(owner.relname || ' (TOAST)' || coalesce(' ' || of_index.amname, ''), relation.relname, resource_manager || ' ' || record_type) AS name,
  count(*)::float8 AS records, sum(record_length - fpi_length)::float8 AS "walBytes", sum(fpi_length)::float8 AS "imageBytes"
FROM pg_get_wal_records_info($1, pg_current_wal_flush_lsn())
LEFT JOIN block USING (start_lsn)
LEFT JOIN pg_class relation ON relation.oid = block.relation
LEFT JOIN pg_am of_index ON of_index.oid = relation.relam AND relation.relkind = 'i'
LEFT JOIN pg_index i ON i.indexrelid = relation.oid
LEFT JOIN pg_class owner ON owner.reltoastrelid IN (relation.oid, i.indrelid)
GROUP BY 1 ORDER BY 3 DESC`

/** The server must have been started with `STATISTICS_SETTINGS`. */
export async function openWriteStatistics(serverUrl: string, database: string): Promise<WriteStatistics> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  await client.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements')
  const inDatabase = new pg.Client({ connectionString: databaseUrl(serverUrl, database) })
  await inDatabase.connect()
  await inDatabase.query('CREATE EXTENSION IF NOT EXISTS pg_walinspect')
  const queryOne = async <Row extends pg.QueryResultRow>(text: string): Promise<Row> => {
    const { rows } = await client.query<Row>(text, [database])
    if (!rows[0]) throw new Error(`There are no statistics of the database ${database}.`)
    return rows[0]
  }
  return {
    read: () => queryOne<WriteCounts>(READ),
    async resetStatements() {
      await client.query('SELECT pg_stat_statements_reset()')
    },
    listStatements: async () => (await client.query<StatementCount>(LIST, [database])).rows,
    async findLogEnd() {
      const { rows } = await inDatabase.query<{ lsn: string }>('SELECT pg_current_wal_insert_lsn()::text AS lsn')
      return rows[0]?.lsn ?? ''
    },
    listLogShares: async (start) => (await inDatabase.query<LogShare>(LIST_LOG, [start])).rows,
    async checkpoint() {
      await client.query('CHECKPOINT')
    },
    async close() {
      await Promise.all([client.end(), inDatabase.end()])
    },
  }
}

/** Settings that take effect when the server is started again. */
const STATISTICS_SETTINGS = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.max': '5000',
  // What it writes depends on when it comes, and in a small database on the statistics of each column.
  autovacuum: 'off',
  max_wal_size: '8GB',
  checkpoint_timeout: '1h',
}

export async function storeStatisticsSettings(serverUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    for (const [name, value] of Object.entries(STATISTICS_SETTINGS)) {
      await client.query(`ALTER SYSTEM SET ${client.escapeIdentifier(name)} = '${value}'`)
    }
  } finally {
    await client.end()
  }
}

export const subtract = (later: WriteCounts, earlier: WriteCounts): WriteCounts =>
  mapCounts(later, (value, name) => value - earlier[name])

/** Returns counts per job, without what the processes do anyway in `seconds`. */
export const perJob = (counts: WriteCounts, jobs: number, idlePerSecond: WriteCounts, seconds: number): WriteCounts =>
  mapCounts(counts, (value, name) => (value - idlePerSecond[name] * seconds) / jobs)

export const perSecond = (counts: WriteCounts, seconds: number): WriteCounts =>
  mapCounts(counts, (value) => value / seconds)

function mapCounts(counts: WriteCounts, change: (value: number, name: keyof WriteCounts) => number): WriteCounts {
  const entries = Object.entries(counts) as [keyof WriteCounts, number][]
  return Object.fromEntries(entries.map(([name, value]) => [name, change(value, name)])) as unknown as WriteCounts
}
