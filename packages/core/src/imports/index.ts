export { deleteUnusedImports } from './imports-sql.ts'
export type { ReadImport, ReadImportedCaptions } from './prepare.ts'
export { submitImport } from './submit.ts'
