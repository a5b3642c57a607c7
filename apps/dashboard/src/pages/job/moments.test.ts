import type { Segment } from '@subtext/sdk'
import { findLineAt, findLinkedLine, quoteLine, readMoment, timeOf } from './moments.ts'

const LINES = [2.5, 83.2, 83.9, 90].map((start, id) => ({ id, start, duration: 1, text: `Line ${id}` }))
const [first, second, third, last] = LINES

test('a time leads to the line that begins in its second, or to the one being spoken', () => {
  const found = [0, 2, 83, 83.9, 84, 1_000].map((seconds) => findLineAt(LINES, seconds))
  expect(found).toEqual([first, first, second, third, third, last])
  expect(findLineAt([], 5)).toBeUndefined()
  expect(findLineAt([...LINES, { ...LINES[3] } as Segment], 90)).toBe(last)
})

test('the time in the link to a line leads back to this line', () => {
  const times = LINES.map((line) => timeOf(LINES, line))
  expect(times).toEqual([2, 83, 83.9, 90])
  expect(times.map((time) => findLineAt(LINES, time))).toEqual(LINES)
})

test('the hash of a job names a moment in seconds, or none', () => {
  const found = ['#t=83', 't=83.9', '', '#t=', '#t=-1', '#t=1m', '#content'].map((hash) => findLinkedLine(LINES, hash))
  expect(found).toEqual([second, third, undefined, undefined, undefined, undefined, undefined])
})

test('the hash of a job names a line by a place in the text from another one on', () => {
  const at = (place: number) => findLinkedLine(LINES, `#t=83.2&at=${place}`)
  expect([0, 5, 6, 7, 13, 14, 20, 21].map(at)).toEqual([second, second, second, third, third, last, last, undefined])
})

test('a quotation names the video and the time, and links to the moment', () => {
  const video = { title: 'The Sea', url: 'https://www.youtube.com/watch?v=abc&t=1s' }
  expect(quoteLine({ text: 'It is salty.', start: 3_683.9 }, video)).toBe(
    '“It is salty.” (The Sea, 1:01:23, https://www.youtube.com/watch?v=abc&t=3683s)',
  )
})

test.each([
  ['a video', 'https://www.youtube.com/watch?v=abcdefghijk&t=83s', 'abcdefghijk', 83],
  ['another video', 'https://www.youtube.com/watch?v=abcdefghijk&t=83s', 'bcdefghijkl', null],
  ['captions of the account', 'https://subtext.example.org/jobs/1#t=83', 'imp-aaaaaaaaaaaaaaaa', 83],
  ['an episode of a podcast', 'https://media.example.org/1.mp3#t=83', 'pod-aaaaaaaaaaaaaaaa', 83],
  ['a page of the web', 'https://example.org/', 'pod-aaaaaaaaaaaaaaaa', null],
  ['no address', 'nowhere', 'abcdefghijk', null],
])('a link to a moment of %s says its second, if it is of this video', (_, href, videoId, second) => {
  expect(readMoment(href, videoId)).toBe(second)
})
