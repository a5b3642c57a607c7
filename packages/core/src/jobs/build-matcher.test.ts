import { buildMatcher } from './build-matcher.ts'

test('matches the letters of a text in any case, and every other sign as it is', () => {
  expect(buildMatcher(' Éa  50%_\\. ').pattern).toBe('[Éé][aA]\\s+50\\%\\_\\\\\\.')
  expect(buildMatcher('ß漢').pattern).toBe('ß漢')
  expect(buildMatcher('İi').pattern).toBe('[iIİı][iIİı]')
})

test.each([
  ['dQw4w9WgXcQ', 'dQw4w9WgXcQ', null],
  ['sbtx', 'sbtx', null],
  ['cat', null, null],
  ['0193A1F1', '0193A1F1', '0193a1f1'],
  [
    '0193a1f1-02ab-7b61-9e2f-4d5c6b7a8190',
    '0193a1f1-02ab-7b61-9e2f-4d5c6b7a8190',
    '0193a1f1-02ab-7b61-9e2f-4d5c6b7a8190',
  ],
  ['0193', '0193', null],
])('takes %s for the beginning of the right IDs', (text, videoId, jobId) => {
  expect(buildMatcher(text)).toMatchObject({ exact: text, videoId, jobId })
})
