import fc from 'fast-check'
import { listCaptionInputs } from '../testing/reported-cases.ts'
import { readCaptionFile } from './read-caption-file.ts'
import { UnreadableCaptionsError } from './unreadable.ts'

/** The formats of which no report has a file. */
const OTHERS = [
  '0:00:01.000,0:00:02.000\nGrüße an alle.\n\n0:00:03.000,0:00:04.000\nBis morgen.\n',
  '[Events]\nFormat: Layer, Start, End, Text\nDialogue: 0,0:00:01.00,0:00:02.00,{\\an8}Hello,\\Nthere.\n',
  '<SAMI><BODY><SYNC Start=1000><P Class=ENCC>Hello &amp; bye<br>now<SYNC Start=2000><P>&nbsp;</BODY></SAMI>',
  '[00:01.00][00:05.00]La la\n[00:03.00]Another line\n',
  'start\tend\ttext\n0\t1000\tHello.\n1000\t2000\tBye.\n',
  'Ana Torres (00:00):\nGood morning.\n\nBen (00:04):\nÇa va?\n',
  '{"language":"en","segments":[{"start":0,"end":1.5,"text":"Hello.","speaker":"Ana"},{"start":1.5,"end":3,"text":"你好"}]}',
  '{"results":{"utterances":[{"start":0.1,"end":1,"transcript":"Hi.","speaker":0}]}}',
  '{"monologues":[{"speaker":0,"elements":[{"type":"text","value":"Hi","ts":0.1,"end_ts":0.5}]}]}',
].map((text) => Buffer.from(text))
const FILES = [...listCaptionInputs(), ...OTHERS]

type Mutate = (file: Buffer) => Buffer

const position = fc.double({ min: 0, max: 1, noNaN: true })
const at = (file: Buffer, share: number): number => Math.floor(share * file.length)
const replaceAt = (file: Buffer, from: number, length: number, by: Uint8Array): Buffer =>
  Buffer.concat([file.subarray(0, from), by, file.subarray(from + length)])

const mutation: fc.Arbitrary<Mutate> = fc.oneof(
  position.map(
    (share): Mutate =>
      (file) =>
        file.subarray(0, at(file, share)),
  ),
  fc.tuple(position, fc.integer({ min: 1, max: 200 })).map(
    ([share, length]): Mutate =>
      (file) =>
        replaceAt(file, at(file, share), length, Buffer.alloc(0)),
  ),
  fc.tuple(position, fc.uint8Array({ minLength: 1, maxLength: 8 })).map(
    ([share, bytes]): Mutate =>
      (file) =>
        replaceAt(file, at(file, share), bytes.length, bytes),
  ),
  fc.tuple(position, position, fc.constantFrom(...FILES)).map(
    ([share, other, source]): Mutate =>
      (file) =>
        replaceAt(file, at(file, share), 0, source.subarray(at(source, other))),
  ),
  fc.tuple(position, fc.constantFrom('<', '>', '&', '{', '"', '-->', '00:00', '\n\n', '\0', '\uFEFF', '\uFFFD')).map(
    ([share, text]): Mutate =>
      (file) =>
        replaceAt(file, at(file, share), 0, Buffer.from(text)),
  ),
  fc.constantFrom<BufferEncoding>('latin1', 'utf16le').map(
    (encoding): Mutate =>
      (file) =>
        Buffer.from(file.toString('utf8'), encoding),
  ),
)

test('reads or refuses with a reason 500 files that were mutated, and never crashes', () => {
  const outcomes = { read: 0, refused: 0 }
  const mutated = fc.tuple(fc.constantFrom(...FILES), fc.array(mutation, { minLength: 1, maxLength: 4 }))
  fc.assert(
    fc.property(mutated, ([original, mutations]) => {
      const file = mutations.reduce((bytes, mutate) => mutate(bytes), original)
      try {
        const { cues } = readCaptionFile(file)
        outcomes.read++
        for (const { startMs, durationMs, text, speaker = '' } of cues) {
          expect(Math.min(startMs, durationMs)).toBeGreaterThanOrEqual(0)
          expect(`${text}${speaker}`).not.toMatch(/\uFFFD|\p{Surrogate}|\0/u)
          expect(text.trim()).not.toBe('')
        }
      } catch (error) {
        if (!(error instanceof UnreadableCaptionsError)) throw error
        outcomes.refused++
        expect(error.message).not.toBe('')
        expect(error.reason).toMatch(/^[a-z_]+$/)
      }
    }),
    { seed: 20_261_128, numRuns: 500 },
  )
  expect(Math.min(outcomes.read, outcomes.refused)).toBeGreaterThan(50)
})
