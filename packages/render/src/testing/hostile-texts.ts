import fc from 'fast-check'

const MARKUP = [
  '<',
  '>',
  '"',
  "'",
  '&',
  '&lt;',
  '&#60;',
  '<b>',
  '</b>',
  '</p>',
  '</main>',
  '</style>',
  '</title>',
  '<!--',
  '-->',
  '<script>',
  '<img src=x onerror=alert(1)>',
  '" onclick="',
  '<![CDATA[',
  ']]>',
  '<svg/onload=',
  'javascript:',
  '{\\an8}',
  '<i>',
  '<00:00:01.000>',
  '00:00:01,000 --> 00:00:02,000',
  'WEBVTT',
  'NOTE',
  '\n\n2\n',
]
const FORMULAS = ['=', '+', '-', '@', '=1+1', '=HYPERLINK("x")', '＝', '＋', '－', '＠', '−', '|', '%', ',', ';', '"="']
const SPACES = [
  ' ',
  '  ',
  '\t',
  '\r',
  '\n',
  '\r\n',
  '\u00a0',
  '\u3000',
  '\u200b',
  '\ufeff',
  '\u2028',
  '\u0000',
  '\u0085',
]
const WORDS = ['word', 'é', '漢字', 'हिन्दी', 'שלום', '😀', '\ud800', '0', '.']

/** Texts that mix speech with everything that has a meaning in pages, tables or subtitles. */
export const hostileText = fc
  .array(fc.oneof(...[MARKUP, FORMULAS, SPACES, WORDS].map((parts) => fc.constantFrom(...parts))), { maxLength: 8 })
  .map((parts) => parts.join(''))
