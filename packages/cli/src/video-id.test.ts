import { videoIdOf, writeIdsAsUrls } from './video-id.ts'

test.each([
  ['https://www.youtube.com/watch?list=x&v=dQw4w9WgXcQ&t=1', 'dQw4w9WgXcQ'],
  ['youtu.be/dQw4w9WgXcQ?si=1', 'dQw4w9WgXcQ'],
  ['https://m.youtube.com/shorts/dQw4w9WgXcQ', 'dQw4w9WgXcQ'],
  ['https://www.youtube.com/watch?v=sbtx-en-map', 'sbtx-en-map'],
  ['https://www.youtube.com/watch?v=../../etc', undefined],
  ['-_w4w9WgXcQ', '-_w4w9WgXcQ'],
  ['https://example.org/', undefined],
  ['not a url', undefined],
])('names the file for %s after %s', (url, id) => {
  expect(videoIdOf(url)).toBe(id)
})

test.each([
  [
    ['transcript', '-abcDEF1234'],
    ['transcript', 'https://www.youtube.com/watch?v=-abcDEF1234'],
  ],
  [
    ['summarize', '--no-wait', '--', '--cDEF12_-a'],
    ['summarize', '--no-wait', '--', 'https://www.youtube.com/watch?v=--cDEF12_-a'],
  ],
  [
    ['summarize', '--languages', 'de'],
    ['summarize', '--languages', 'de'],
  ],
  [
    ['summarize', '-oRESULTS_12', 'x'],
    ['summarize', '-oRESULTS_12', 'x'],
  ],
  [
    ['chat', 'x', '-abcDEF1234'],
    ['chat', 'x', '-abcDEF1234'],
  ],
])('reads the IDs of videos in %j that look like options as %j', (args, written) => {
  expect(writeIdsAsUrls(args)).toEqual(written)
})
