import { HELD_OUT } from './testing/held-out.ts'
import { type ClaimKind, measureClaims, newCounts } from './testing/measure-claims.ts'

const shareOf = (kind: ClaimKind, counts: ReturnType<typeof newCounts>): number =>
  counts[kind].wrong.length / Math.max(1, counts[kind].checked)

describe.each(HELD_OUT)('claims about a text in $language', (text) => {
  const counts = newCounts()
  measureClaims(text, counts)

  test('are shown if they say what the lines say', () => {
    const inOwnWords = counts.true.wrong.filter((claim) => text.sentences.includes(claim))
    expect(inOwnWords).toEqual([])
    expect(shareOf('true', counts)).toBeLessThan(0.1)
  })

  test('are not shown with a number that was altered', () => {
    expect(counts.number.checked).toBeGreaterThan(10)
    expect(counts.number.wrong).toEqual([])
  })

  test('are mostly not shown if they say the opposite, or name somebody else', () => {
    expect(counts.reversal.checked).toBeGreaterThan(5)
    // Korean puts the negation into the ending of the verb, which changes in too many ways to find each.
    expect(shareOf('reversal', counts)).toBeLessThanOrEqual(text.language === 'ko' ? 0.17 : 0.12)
    expect(shareOf('name', counts)).toBeLessThanOrEqual(0.1)
  })
})
