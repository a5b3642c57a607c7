import { buildSnippet } from './snippet.ts'

const join = (pieces: ReturnType<typeof buildSnippet>) => pieces.map(({ text }) => text).join('')
const marked = (pieces: ReturnType<typeof buildSnippet>) =>
  pieces.filter(({ isMarked }) => isMarked).map(({ text }) => text)

test('a short passage is shown whole', () => {
  const text = 'We mapped the harbor and the ships.'
  const pieces = buildSnippet(text, [
    [14, 20],
    [29, 34],
  ])
  expect(join(pieces)).toBe(text)
  expect(marked(pieces)).toEqual(['harbor', 'ships'])
})

test('of a long passage, the words around the first match are shown', () => {
  const filler = 'word '.repeat(100)
  const pieces = buildSnippet(`${filler}harbor ${filler}`, [[500, 506]])
  expect(marked(pieces)).toEqual(['harbor'])
  expect(join(pieces)).toMatch(/^… (?:word )+harbor (?:word )+ …$/)
  expect(join(pieces).length).toBeLessThan(340)
})

test('a text without spaces is cut between characters', () => {
  const pieces = buildSnippet(`${'𠮷'.repeat(200)}港${'𠮷'.repeat(200)}`, [[400, 401]])
  expect(marked(pieces)).toEqual(['港'])
  expect(() => encodeURIComponent(join(pieces))).not.toThrow()
})

test('a match longer than a snippet is whole', () => {
  const text = `a ${'long '.repeat(100)}b`
  expect(marked(buildSnippet(text, [[2, 502]]))).toEqual([text.slice(2, 502)])
})
