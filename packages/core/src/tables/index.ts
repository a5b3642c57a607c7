export { createBatchTable, createLibraryTable, type FilledTable, getTable } from './tables.ts'
export { purgeTables } from './tables-sql.ts'
