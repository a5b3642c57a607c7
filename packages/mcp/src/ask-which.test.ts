import { namesPlaylist } from './ask-which.ts'

test.each([
  ['https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=PLx', true],
  ['youtu.be/dQw4w9WgXcQ?list=PLx', true],
  ['https://www.youtube.com/watch?v=dQw4w9WgXcQ', false],
  ['https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=', false],
  ['https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=RDdQw4w9WgXcQ', false],
  ['not a url', false],
])('finds the playlist in %s: %s', (url, expected) => {
  expect(namesPlaylist(url)).toBe(expected)
})
