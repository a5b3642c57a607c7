/**
 * Updates the statistics of PostgreSQL, as it does itself within a minute of many changes. Until then, it keeps the plans that it
 * made while the tables were nearly empty.
 */
export const updateStatistics = (database: { query(text: string): Promise<unknown> }): Promise<unknown> =>
  database.query('ANALYZE')
