export { deleteUnusedImports } from './imports-sql.ts'
export type { ImportCaller, ReadImportedCaptions } from './prepare.ts'
export { submitImport } from './submit.ts'
