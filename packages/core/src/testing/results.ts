import type { Sql } from '@subtext/db'
import { describeStoredResult, insertResults, RESULT_COLUMNS, type StoredResult } from '../jobs/result-sql.ts'

const SAVE_RESULT = `WITH given AS (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS g(${RESULT_COLUMNS})
) ${insertResults('given')}`

/** Stores a result separately. The service stores it together with the end of its job. */
export async function saveResult(sql: Sql, result: StoredResult): Promise<void> {
  await sql.query(SAVE_RESULT, [JSON.stringify([describeStoredResult(result)])])
}
