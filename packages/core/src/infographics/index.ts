export { findLinkedInfographic, getInfographic } from './get.ts'
export type { ShownInfographic } from './infographics-sql.ts'
export {
  findEarlierInfographic,
  findInfographic,
  markInfographicDrawn,
  type StoredInfographic,
  saveInfographic,
} from './infographics-sql.ts'
export { buildInfographicUrl, type InfographicLink, type LinkParameters, linkEpoch } from './link.ts'
