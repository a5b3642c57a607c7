import { measureGrowth } from '@subtext/runtime/testing'
import { buildPlainText } from './build-plain-text.ts'

test.each([
  ['Plain words, 3 < 4 and a <3.', 'Plain words, 3 < 4 and a <3.'],
  ['A <b>bold</b> claim', 'A ‹b›bold‹/b› claim'],
  ['<script>alert(1)</script>', '‹script›alert(1)‹/script›'],
  ['<scr<script>ipt>', '‹scr‹script›ipt>'],
  ['<img src=x onerror=alert(1)', '‹img src=x onerror=alert(1)'],
  ['<!-- hidden -->', '‹!-- hidden --›'],
  ['See [the paper](https://evil.example/a?b=c) now', 'See the paper now'],
  ['![tracker](https://evil.example/p.png)', 'tracker'],
  ['[![a](http://x.example/b)](http://y.example/c)', 'a'],
  ['[a](javascript:alert(1))', 'a'],
  ['[a](https://en.example/wiki/B_(c)) d', 'a d'],
  ['[a][b] and [b]: http://x.example', '[a] [b] and [b] : …'],
  ['Go to https://evil.example/steal?q=secret today', 'Go to … today'],
  ['Go to www.evil.example/steal.', 'Go to ….'],
  ['Run javascript:alert(1) or mailto:a@b.example, now', 'Run … or …, now'],
  ['The data: five numbers, and metadata:x', 'The data: five numbers, and metadata:x'],
  ['_https://evil.example/a_', '_…'],
  ['<https://evil.example/a>', '<…>'],
  ['詳細はhttps://a.example/x、次に進む', '詳細は…、次に進む'],
  ['a\u202Eb\u0000c\u200Bd\n\n# e', 'abcd # e'],
  ['می\u200Cخواهم', 'می\u200Cخواهم'],
  ['Log in at evil.example/login?x=1, now', 'Log in at …, now'],
  ['Log in at sub.evil.example:8080/x.', 'Log in at ….'],
  ['See //evil.example/x and //evil.example', 'See … and …'],
  ['See \\\\evil.example', 'See …'],
  ['See https:/evil.example and HTTPS:\\\\evil.example\\x', 'See … and …'],
  ['See https:evil.example', 'See …'],
  ['_www.evil.example_', '_…'],
  ['Node.js and example.com, e.g. and/or i.e., 1.5km/h', 'Node.js and example.com, e.g. and/or i.e., 1.5km/h'],
  [
    'Node.js/Deno, https: a // b, U.S./UK, is it example.com?',
    'Node.js/Deno, https: a // b, U.S./UK, is it example.com?',
  ],
  ['half \uD83D pair', 'half \uFFFD pair'],
])('turns %j into %j', (text, plain) => {
  expect(buildPlainText(text)).toBe(plain)
})

test('leaves no address behind when it removes one within another', () => {
  expect(buildPlainText('http://http://evil.example/x')).not.toContain('://')
  expect(buildPlainText('hthttps://x/tps://evil.example')).not.toContain('://')
  expect(buildPlainText('[a]([b](c)(https://evil.example)')).not.toMatch(/\]\(|:\/\//)
})

test.each([
  'a',
  '[',
  '[](',
  '![',
  '<a',
  'www.',
  '://',
  'h://',
  '(',
  ' \u202E',
  'a.',
  '/',
  '\\',
  'aa.bb/',
  'https:',
  'a-',
])('takes time in proportion to the length of many %j', async (piece) => {
  const build = (length: number) => buildPlainText(piece.repeat(length / piece.length))
  expect(await measureGrowth(build, { small: 12_500, large: 100_000 })).toBeLessThan(3)
})
