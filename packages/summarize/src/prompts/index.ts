export { computeMaxLineTokens, isSmallContext } from '../model/limits.ts'
export { escapeLine } from './escape-line.ts'
export { nameLanguage } from './instruction.ts'
export { joinPassages } from './passages.ts'
export { createLineResolver, type ResolveLines } from './resolve-lines.ts'
export { buildSystem, SYSTEM_RULES } from './rules.ts'
export {
  buildDocument,
  buildTranscriptLines,
  countLineTokens,
  nameSpeakers,
  type PromptLine,
} from './transcript-document.ts'
