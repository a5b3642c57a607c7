export { type CheckedClaim, type Claim, type ClaimCheck, checkClaim } from './check-claim.ts'
export {
  type CheckStatement,
  createStatementCheck,
  DROP_REASONS,
  type DropReason,
  type Mark,
  type Statement,
} from './check-statement.ts'
export { createNumberCheck } from './checks/numbers.ts'
export { createQuoteFinder } from './checks/quotations.ts'
export { createScriptCheck } from './checks/script.ts'
export {
  buildNotesEvidence,
  buildTranscriptEvidence,
  createSegmentReader,
  type Evidence,
  type Note,
} from './evidence.ts'
export { type DetectLanguage, isOnlyHan, loadLanguageDetector } from './language/detect-language.ts'
export { createStemFinder, type FindStems } from './language/find-stems.ts'
export { STOP_WORDS } from './language/stop-words.ts'
export { type Amount, createAmountFinder, type FindAmounts } from './numbers/find-amounts.ts'
export { withPlainDigits } from './numbers/plain-digits.ts'
export { nameUnits } from './numbers/units.ts'
export { buildClaimText } from './shown/build-claim-text.ts'
export { createLeakGuard } from './shown/leak-guard.ts'
