export { assertTemplatesIncluded } from '../plans/gates.ts'
export {
  createTemplate,
  deleteTemplate,
  getTemplate,
  listTemplates,
  type OwnTemplate,
  replaceTemplate,
} from './manage.ts'
export { findDefinition, type PinnedTemplates, pinTemplates } from './pin.ts'
export {
  findEarlierExtraction,
  findOwnExtractionKeys,
  listExtractions,
  purgeTemplates,
  type StoredExtraction,
  saveExtraction,
  saveHiddenTemplate,
} from './templates-sql.ts'
