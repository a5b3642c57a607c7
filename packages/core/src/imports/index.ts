export { deleteUnusedImports } from './imports-sql.ts'
export type { ReadCaptions, ReadImport } from './prepare.ts'
export { submitImport } from './submit.ts'
