export { type FoundInfographic, getInfographic, getLinkedInfographic } from './get.ts'
export { buildInfographicUrl, type InfographicLink, linkEpoch } from './link.ts'
