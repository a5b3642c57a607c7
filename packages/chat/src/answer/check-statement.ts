import { type CheckedStatement, type CheckStatement, REASONS } from '@subtext/evidence'
import type { Statement } from './read-statements.ts'

/** Why a statement is not shown: it has no marks, it contains an address or a tag, or its lines do not support it. */
export const DROP_REASONS = ['unmarked', 'markup', ...REASONS] as const
export type DropReason = (typeof DROP_REASONS)[number]

/** Addresses, links and tags: only the service creates links, and tags are not speech. */
const MARKUP = /\]\s?\(|:\/\/|\bwww\.|\b(?:javascript|data|mailto):|<\s?[/!|]?\s?[a-z]/i

/** Checks a statement against the lines that it marks. */
export function checkStatement(
  { text, marks }: Statement,
  check: CheckStatement,
): CheckedStatement | { dropped: DropReason } {
  if (marks.length === 0) return { dropped: 'unmarked' }
  // Letters of full width make addresses, too.
  if (MARKUP.test(text.normalize('NFKC'))) return { dropped: 'markup' }
  return check({ text, segmentIds: marks.map(({ id }) => id), quotes: marks.map(({ quote }) => quote) })
}
