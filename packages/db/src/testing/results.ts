import type { Sql } from '../client.ts'
import { insertResult, resultValues, type StoredResult } from '../stores/results.ts'

/** Stores a result separately. The service stores it together with the end of its job. */
export async function saveResult(sql: Sql, result: StoredResult): Promise<void> {
  await sql.query(`WITH ended AS (SELECT $10::uuid AS id, $11::timestamptz AS "completedAt") ${insertResult(1)}`, [
    ...resultValues(result),
    result.jobId,
    result.completedAt,
  ])
}
