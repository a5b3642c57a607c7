import { isBlobKey } from './blob-store.ts'

test.each(['a', 'jobs/0f/0193-a_b/card.png', 'v1.2/x'])('accepts the key %s', (key) => {
  expect(isBlobKey(key)).toBe(true)
})

test.each([
  ['an empty one', ''],
  ['one that leads upwards', 'jobs/../../etc/passwd'],
  ['an absolute one', '/etc/passwd'],
  ['one with a slash at the end', 'jobs/'],
  ['one with an empty segment', 'jobs//a'],
  ['one with a hidden file', 'jobs/.unfinished'],
  ['one with a backslash', 'jobs\\a'],
  ['one with a null character', 'jobs/a\0.png'],
  ['one with percent encoding', 'jobs/%2e%2e/a'],
  ['one with a line break', 'jobs/a\n'],
  ['one with a query', 'jobs/a?acl'],
  ['one that is too long', 'a'.repeat(513)],
])('refuses as a key %s', (_, key) => {
  expect(isBlobKey(key)).toBe(false)
})
