import type { TrackKind } from '@subtext/contracts'
import { readCaptions } from './read-captions.ts'
import { listReportedCases, readReportedInput } from './testing/index.ts'

interface Expected {
  track: TrackKind
  texts?: string[]
  joined?: string
  count?: number
}

test.each(listReportedCases<Expected>('captions'))('readCaptions reads the reported captions %s', async (_, one) => {
  const { track, texts, joined, count } = one.expected
  const { cues } = await readCaptions([Buffer.from(readReportedInput(one))], { kind: track })
  const read = cues.map(({ text }) => text)
  expect(cues).toHaveLength(count ?? texts?.length ?? cues.length)
  expect(read).toEqual(texts ?? read)
  expect(read.join(' ')).toBe(joined ?? read.join(' '))
})
