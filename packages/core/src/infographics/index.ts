export type { ShownInfographic } from '@subtext/db'
export { findLinkedInfographic, getInfographic } from './get.ts'
export { buildInfographicUrl, type InfographicLink, type LinkParameters, linkEpoch } from './link.ts'
