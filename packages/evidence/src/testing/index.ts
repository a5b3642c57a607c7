export { type AlteredClaim, alterClaim } from './alter-claims.ts'
export { LIGHTHOUSE, lighthouseCues, linesOf, quoteFrom, segmentOf } from './lighthouse.ts'
