export { createBatchTable, createLibraryTable, type FilledTable, getTable } from './tables.ts'
export { fillsTableRow, purgeTables } from './tables-sql.ts'
