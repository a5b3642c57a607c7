import { measureGrowth } from '@subtext/runtime/testing'
import { extractJson, fitToSchema } from './plain-json.ts'

const ANSWER = { tldr: [{ text: 'a {b} "c" \\', segment_ids: [1] }] }
const JSON_TEXT = JSON.stringify(ANSWER)

test.each([
  ['alone', JSON_TEXT],
  ['over several lines', JSON.stringify(ANSWER, null, 2)],
  ['in a fence', `\`\`\`json\n${JSON_TEXT}\n\`\`\``],
  ['after an introduction', `Sure! Here it is:\n${JSON_TEXT}`],
  ['before a remark', `${JSON_TEXT}\n\nLet me know {if} that helps.`],
  ['after brackets in prose', `The set {a, b} and {"x": 1} matter.\n${JSON_TEXT}`],
  ['after a bracket that is never closed', `First { then ${JSON_TEXT}`],
])('finds an object %s', (_, text) => {
  expect(extractJson(text)).toEqual(ANSWER)
})

test.each(['', 'none', '{', '[1, 2]', '{a: 1}', '{"a": 1', '"{}"x'])('finds no object in %j', (text) => {
  expect(extractJson(text)).toEqual(text === '"{}"x' ? {} : null)
})

const SCHEMA = {
  type: 'object',
  properties: {
    points: {
      type: 'array',
      items: { type: 'object', properties: { text: { type: 'string' }, id: { type: 'integer' } } },
    },
    ids: { type: 'array', items: { type: 'integer' } },
    name: { type: 'string' },
  },
  required: ['points', 'ids'],
}

test.each([
  ['drops unknown properties', { points: [], ids: [1], html: '<p>' }, { points: [], ids: [1] }],
  [
    'takes a single entry for a list',
    { points: { text: 'a', id: 1 }, ids: 2 },
    { points: [{ text: 'a', id: 1 }], ids: [2] },
  ],
  ['reads numbers that are written as text', { points: [], ids: ['1', '[2]', '#3'] }, { points: [], ids: [1, 2, 3] }],
  ['takes a list that is missing for an empty one', { points: null }, { points: [], ids: [] }],
  [
    'leaves alone what it would have to guess',
    { points: 'x', ids: ['one', 1.5] },
    { points: ['x'], ids: ['one', 1.5] },
  ],
])('%s', (_, value, fitted) => {
  expect(fitToSchema(value, SCHEMA)).toEqual(fitted)
})

test.each(['{', '{"a":[', '{{}', '"{'])('takes linear time for a long run of %j', async (piece) => {
  const find = (size: number) => void extractJson(piece.repeat(size))
  expect(await measureGrowth(find, { small: 10_000, large: 160_000 })).toBeLessThan(5)
})
