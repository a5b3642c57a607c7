import { createQuoteFinder } from '@subtext/evidence'
import { unquoteUnsaid } from './unquote.ts'

const CUES = ["I've said it before, we lost everything", 'and nobody came to help', '誰も助けに来なかったのです'].map(
  (text, index) => ({ startMs: index * 3_000, durationMs: 2_900, text }),
)
const findQuoted = createQuoteFinder(CUES)

test.each([
  ['He says “we lost everything and nobody came”.', 'He says “we lost everything and nobody came”.'],
  ['He says "we lost nothing at all".', 'He says we lost nothing at all.'],
  ['Er sagt „we lost everything“.', 'Er sagt „we lost everything“.'],
  ['Il dit « nous avons tout perdu ».', 'Il dit nous avons tout perdu.'],
  ['He says ‘we didn’t lose a thing’ today.', 'He says we didn’t lose a thing today.'],
  ["He says 'we didn't lose a thing' today.", "He says we didn't lose a thing today."],
  ["It's what the dogs' owners say, isn't it?", "It's what the dogs' owners say, isn't it?"],
  ['Er sagt ‚we lost everything‘.', 'Er sagt ‚we lost everything‘.'],
  ['The “black box” failed.', 'The “black box” failed.'],
  ['「誰も助けに来なかった」と言う。', '「誰も助けに来なかった」と言う。'],
  ['「みんなが助けに来てくれた」と言う。', 'みんなが助けに来てくれたと言う。'],
  ['It’s what they’d say, isn’t it?', 'It’s what they’d say, isn’t it?'],
])('keeps the marks only of quotations that were said word for word: %s', (text, shown) => {
  expect(unquoteUnsaid(text, [1, 3], findQuoted)).toBe(shown)
})
