import { readdirSync, statSync } from 'node:fs'
import { divideRun } from './divide.ts'
import { hashWords } from './features.ts'
import { loadWeights } from './load-weights.ts'
import { decodeWeights, encodeWeights, LENGTHS, rateGaps, SLOTS } from './weights.ts'
import { listWords } from './words.ts'

const FOLDER = new URL('./weights/', import.meta.url)
const FILES = readdirSync(FOLDER)
const SURE = { start: 6, end: 6 }

/** Returns the sentences that the weights find in a text without punctuation. */
function divide(text: string, language: string): string[] {
  const weights = loadWeights(language)
  if (!weights) return []
  const words = listWords(text, 0, text.length)
  const odds = rateGaps(weights, hashWords(words), words.length)
  return divideRun({ words, odds, edges: SURE }, weights.lengths, 300).map(({ from, to }) =>
    words
      .slice(from, to)
      .map((word) => word.text)
      .join(' '),
  )
}

test('has weights of at most 256 KB for seven languages', () => {
  expect(FILES).toEqual(['ar.bin', 'de.bin', 'en.bin', 'es.bin', 'fr.bin', 'hi.bin', 'pt.bin'])
  for (const file of FILES) expect(statSync(new URL(file, FOLDER)).size).toBeLessThanOrEqual(256 * 1024)
})

test('has no weights for other languages, or for what is not a language', () => {
  for (const language of ['xx', 'zh-Hant', '../weights/en', '']) expect(loadWeights(language)).toBeNull()
})

test('reads weights as they were written', () => {
  const slots = Int8Array.from({ length: 2 * SLOTS }, (_, i) => (i % 255) - 127)
  const weights = { scale: 0.5, bias: -2.5, lengths: new Float32Array(LENGTHS).fill(0.25), slots }
  expect(decodeWeights(encodeWeights(weights))).toEqual(weights)
})

const SPOKEN = [
  'So today I want to talk about how we learn to listen.',
  'When I was a child my grandmother told me stories every evening.',
  "I didn't understand most of them.",
  'But I remember her voice.',
  "And I think that's what really matters.",
  'Now, what does this have to do with your work?',
  "Well, in every meeting there is somebody who doesn't say anything.",
  'You should ask that person a question.',
  'It takes two minutes and it changes the whole conversation.',
  'We tried this with forty teams last year.',
  'Almost all of them made better decisions.',
  "I don't know exactly why it works.",
  'Maybe people just want to be heard.',
  'So the next time you sit in a meeting, look around the table.',
  'There is always someone who is waiting to be asked.',
  'Thank you very much.',
]

test('finds whole sentences of a talk without punctuation', () => {
  const written = SPOKEN.map((text) =>
    listWords(text, 0, text.length)
      .map((word) => word.text)
      .join(' '),
  )
  const found = divide(written.join(' '), 'en')
  expect(found.join(' ')).toBe(written.join(' '))
  expect(written.filter((sentence) => found.includes(sentence)).length).toBeGreaterThanOrEqual(3)
})

test('prefers the division whose borders and lengths are likeliest together', () => {
  const text = 'one two three four five six'
  const words = listWords(text, 0, text.length)
  const odds = Float64Array.from([-5, -5, 2, -5, -5, -5])
  const lengths = new Float32Array(LENGTHS)
  const [first, second] = divideRun({ words, odds, edges: SURE }, lengths, 300)
  expect([first?.from, first?.to, second?.from, second?.to]).toEqual([0, 3, 3, 6])
  expect(first?.probability).toBeGreaterThan(0.8)
  lengths[2] = -10
  expect(divideRun({ words, odds, edges: SURE }, lengths, 300)).toHaveLength(1)
})

test('cuts a run that is longer than a reader wants, and says how little it knows', () => {
  const text = 'word '.repeat(200).trim()
  const words = listWords(text, 0, text.length)
  const odds = new Float64Array(words.length).fill(-8)
  const divisions = divideRun({ words, odds, edges: SURE }, new Float32Array(LENGTHS), 300)
  for (const { from, to } of divisions)
    expect((words[to - 1]?.to ?? 0) - (words[from]?.from ?? 0)).toBeLessThanOrEqual(300)
  for (const { probability } of divisions) expect(probability).toBeLessThan(0.01)
})
