export { createSharedStatementCheck } from './check-across-sources.ts'
export { type CheckedClaim, type ClaimCheck, checkClaim } from './check-claim.ts'
export { type CheckedStatement, type CheckStatement, createStatementCheck } from './check-statement.ts'
export { createValueChecks, type ValueChecks } from './check-value.ts'
export { type AmountToSay, createAmountSearch, readAmount } from './checks/amounts.ts'
export { type Check, findReason, REASONS } from './checks/check.ts'
export { createQuoteFinder, type FindQuoted } from './checks/quotations.ts'
export { createScriptCheck } from './checks/script.ts'
export { type CitedSegment, type Claim, listCitations } from './claim.ts'
export { createClaimChecks } from './create-claim-checks.ts'
export { cutQuotation } from './cut-quotation.ts'
export {
  buildNotesEvidence,
  buildTranscriptEvidence,
  createSegmentReader,
  type Evidence,
  type Note,
} from './evidence.ts'
export { type DetectLanguage, isOnlyHan, loadLanguageDetector } from './language/detect-language.ts'
export { createStemFinder, type FindStems } from './language/find-stems.ts'
export { sharesStem } from './language/shared-stems.ts'
export { STOP_WORDS } from './language/stop-words.ts'
export { createAmountFinder } from './numbers/find-amounts.ts'
export { withPlainDigits } from './numbers/plain-digits.ts'
export { nameUnits } from './numbers/units.ts'
export {
  buildPassageEvidence,
  createPassageFinder,
  type EvidencePassage,
  type FindPassage,
} from './passage-evidence.ts'
export { buildClaimText } from './shown/build-claim-text.ts'
export { createLeakGuard } from './shown/leak-guard.ts'
