import { newChatSource, say, useProvider } from './testing/provider.ts'

const provider = useProvider()
const CUES = [
  'Third quarter revenue rose 2.5 percent to 452.2 million dollars.',
  'The drug did not reduce mortality in the trial of 1,200 patients.',
  "So the board rejected the merger with Aaron's.",
  'Alice Moreau sued Robert Klein over the patent.',
].map((text, index) => ({ startMs: index * 60_000, durationMs: 3_900, text }))
const source = newChatSource(CUES)
const ask = (answer: string) => {
  provider.api.failNext(say(answer))
  return provider.ask('What happened?', { source })
}

test('answers with what the lines say', async () => {
  const { parts } = await ask(
    "Revenue rose 2.5 percent to 452.2 million dollars. [1]\nThe drug did not reduce mortality. [2]\nThe board rejected the merger with Aaron's. [3]\nAlice Moreau sued Robert Klein. [4]",
  )
  expect(parts.map(({ segmentIds }) => segmentIds)).toEqual([[1], [2], [3], [4]])
})

test.each([
  ['altered numbers', 'Revenue rose 25 percent to 4.5 billion dollars. [1]'],
  ['another unit', 'Revenue rose 2.5 percentage points to 452.2 million euros. [1]'],
  ['the opposite', 'Revenue fell 2.5 percent to 452.2 million dollars. [1]'],
  ['no negation', 'The drug reduced mortality in the trial. [2]'],
  ['approval for a rejection', "The board approved the merger with Aaron's. [3]"],
  ['another name', 'The board rejected the merger with Apple. [3]'],
  ['approval and another name', 'The board approved the merger with Apple. [3]'],
  ['exchanged roles', 'Robert Klein sued Alice Moreau over the patent. [4]'],
])('does not answer with %s', async (_, sentence) => {
  const { parts } = await ask(`The drug did not reduce mortality. [2]\n${sentence}`)
  expect(parts.map(({ text }) => text)).toEqual(['The drug did not reduce mortality.'])
})
