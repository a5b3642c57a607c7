import type { Cue } from '@subtext/contracts'
import { fuzzRuns } from '@subtext/runtime/testing'
import fc from 'fast-check'
import { renderCsvDocument } from './csv-document.ts'
import { hostileText } from './testing/hostile-texts.ts'
import { buildCues, buildSampleResult, collect, inParts } from './testing/sample-result.ts'

const tableOf = async (cues: Cue[], byteOrderMark = false): Promise<string> =>
  (await collect(renderCsvDocument(buildSampleResult({ cues: inParts(cues) }), { byteOrderMark }))).join('')

/** Parses the grammar of RFC 4180, section 2. Throws on anything else. */
function parseCsv(table: string): string[][] {
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y
  const rows: string[][] = []
  let row: string[] = []
  while (field.lastIndex < table.length) {
    const at = field.lastIndex
    const match = field.exec(table)
    if (!match) throw new Error(`Not RFC 4180: ${JSON.stringify(table.slice(at, at + 80))}`)
    row.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '')
    if (match[3] === ',') continue
    rows.push(row)
    row = []
  }
  return rows
}

test('writes the transcript as a table, with a byte order mark for spreadsheets', async () => {
  const cues = [
    { startMs: 0, durationMs: 1_234, text: 'He said "go", twice' },
    { startMs: 3_723_456, durationMs: 10, text: '=1+1' },
    { startMs: 3_724_000, durationMs: 0, text: '' },
  ]
  const rows = '"0","1.234","He said ""go"", twice"\r\n"3723.456","3723.466","\'=1+1"\r\n"3724","3724",""\r\n'
  expect(await tableOf(cues)).toBe(`start,end,text\r\n${rows}`)
  expect(await tableOf(cues, true)).toBe(`\ufeffstart,end,text\r\n${rows}`)
  expect(await tableOf([])).toBe('start,end,text\r\n')
})

test.each([
  '=1',
  '+1',
  '-1',
  '@SUM(1)',
  '\t=1',
  '\tword',
  '\rword',
  ' =1',
  '   \u00a0+1',
  '\u3000@x',
  '＝1',
  '＋1',
  '－1',
  '＠x',
  ' ＝1',
  '\u2212 1',
  '\ufe63 1',
  '\u207a1',
  '\u200b=1',
  '\ufeff=1',
  '\u0000=1',
  '\u202e=1',
])('prefixes %j, which could be a formula, with an apostrophe', async (text) => {
  expect(parseCsv(await tableOf(buildCues([text])))[1]?.[2]).toBe(`'${text}`)
})

/** Splits a table like a spreadsheet whose list separator is the semicolon. */
const cellsBySemicolon = (table: string): string[] => table.split(/\r\n|[;\r\n]/)
const couldBeFormula = (cell: string): boolean => /^["\s\p{C}\p{Z}]*[=+\-@\u2212]/u.test(cell.normalize('NFKC'))

test.each([
  ['costs;=1+1;', "costs;'=1+1;"],
  ['a; \u200b@SUM(1)', "a; \u200b'@SUM(1)"],
  ['a;";=1', `a;";'=1`],
  ['a;"=1"', `a;"'=1"`],
  ['a\n=1', "a\n'=1"],
  ['\r=1', "'\r'=1"],
  ['a;\uff1d1', "a;'\uff1d1"],
  ['a; b; c', 'a; b; c'],
  ['a;b=1', 'a;b=1'],
])('guards %j, which a semicolon or a line break turns into a formula', async (text, guarded) => {
  const table = await tableOf(buildCues([text]))
  expect(parseCsv(table)[1]?.[2]).toBe(guarded)
  expect(cellsBySemicolon(table).filter(couldBeFormula)).toEqual([])
})

test.each(['a=1', '1+1', "'=1", '"=1"', '(-1)', ' word', '漢字', '😀=', '#1', '¿=?', '~-', ''])(
  'leaves %j, which is not a formula, unchanged',
  async (text) => {
    expect(parseCsv(await tableOf(buildCues([text])))[1]?.[2]).toBe(text)
  },
)

test('writes hostile texts so that they read back unchanged and no cell starts with a formula', async () => {
  // NFKC folds full-width, small and superscript forms. U+2212 is a minus sign to spreadsheets, but not to NFKC.
  const isFormula = (cell: string): boolean =>
    /^[\t\r\n]/.test(cell) ||
    /^[=+\-@]/.test(
      cell
        .replace(/^[\s\p{C}\p{Z}]+/u, '')
        .replaceAll('−', '-')
        .normalize('NFKC'),
    )
  await fc.assert(
    fc.asyncProperty(fc.array(hostileText, { maxLength: 5 }), async (texts) => {
      const table = await tableOf(buildCues(texts))
      expect(cellsBySemicolon(table).filter(couldBeFormula)).toEqual([])
      const [header, ...rows] = parseCsv(table)
      expect(header).toEqual(['start', 'end', 'text'])
      expect(rows.length).toBe(texts.length)
      for (const [index, text] of texts.entries()) {
        const [start, end, cell = ''] = rows[index] ?? []
        expect([Number(start), Number(end)]).toEqual([index * 3, index * 3 + 3])
        expect(isFormula(cell)).toBe(false)
        const given = text.toWellFormed()
        if (!/[;\r\n]/.test(given)) expect(cell).toBe(isFormula(given) ? `'${given}` : given)
        else expect(cell.replaceAll("'", '')).toBe(given.replaceAll("'", ''))
      }
    }),
    { numRuns: fuzzRuns(), seed: 7 },
  )
})
