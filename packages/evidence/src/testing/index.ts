export { HELD_OUT } from './held-out.ts'
export { LIGHTHOUSE, lighthouseCues, linesOf, quoteFrom, segmentOf } from './lighthouse.ts'
export {
  type ClaimCounts,
  type ClaimKind,
  measureClaims,
  measureTranslations,
  newCounts,
  type SpokenText,
} from './measure-claims.ts'
export { TRANSLATIONS } from './translations.ts'
