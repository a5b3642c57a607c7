import { type ClaimCheck, checkClaim } from './check-claim.ts'
import { createClaimChecks } from './create-claim-checks.ts'
import { buildTranscriptEvidence } from './evidence.ts'
import { createStemFinder } from './language/find-stems.ts'
import { HOSTILE_TEXTS } from './testing/hostile-claims.ts'
import { HOSTILE_TURNS } from './testing/hostile-turns.ts'

describe.each([...HOSTILE_TEXTS, ...HOSTILE_TURNS])(
  'hostile claims about a text in $language',
  ({ language, lines, said, unsaid }) => {
    const check: ClaimCheck = {
      evidence: buildTranscriptEvidence(
        lines.map((text, index) => ({ startMs: index * 4_000, durationMs: 3_900, text })),
      ),
      findStems: createStemFinder(language),
      isLeak: () => false,
      isInScript: () => true,
      checks: createClaimChecks({ language, linesLanguage: language, published: [] }),
    }
    const isShown = (segmentIds: readonly number[], text: string): boolean =>
      checkClaim({ text, segmentIds: [...segmentIds] }, check).point !== null

    test.each(said)('are shown if they say what lines %j say: %s', (segmentIds, text) => {
      expect(isShown(segmentIds, text)).toBe(true)
    })

    test.each(unsaid)('are not shown if they say something else than lines %j: %s', (segmentIds, text) => {
      expect(isShown(segmentIds, text)).toBe(false)
    })
  },
)
