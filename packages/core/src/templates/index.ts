export { assertTemplatesIncluded } from '../plans/gates.ts'
export {
  createTemplate,
  deleteTemplate,
  getTemplate,
  listTemplates,
  type OwnTemplate,
  replaceTemplate,
} from './manage.ts'
export { findDefinition } from './pin.ts'
export { createBatchTable, createLibraryTable, type FilledTable, getTable } from './tables.ts'
export {
  findEarlierExtraction,
  findOwnExtractionKeys,
  listExtractions,
  type StoredExtraction,
  saveExtraction,
} from './templates-sql.ts'
