import { buildBlocks, buildLines } from './blocks.ts'
import { capitalizeNames, findCapitals } from './capitals.ts'

const pace = async () => undefined

async function capitalsOf(texts: string[], tag: string) {
  const cues = texts.map((text, i) => ({ startMs: i * 2_000, durationMs: 2_000, text }))
  return findCapitals(await buildBlocks(await buildLines(cues, pace), { writtenByPeople: false }, pace), tag)
}

test('writes a name as the transcript mostly does', async () => {
  const capitals = await capitalsOf(
    ['we went to Lisbon and then', 'back to Lisbon where lisbon', 'was warm in May'],
    'en',
  )
  expect(capitalizeNames('the train to lisbon leaves in may', capitals)).toBe('the train to Lisbon leaves in May')
})

test('writes no name with a capital letter that the transcript only has at the beginning of a sentence', async () => {
  const capitals = await capitalsOf(['Lisbon is warm. Trains are late.', 'Nobody likes trains'], 'en')
  expect(capitalizeNames('lisbon has trains', capitals)).toBe('lisbon has trains')
})

test('writes the first person of English with a capital letter, and nothing in a language without capitals', async () => {
  expect(capitalizeNames("what i'm saying is that i agree", await capitalsOf(['that is so'], 'en'))).toBe(
    "what I'm saying is that I agree",
  )
  expect((await capitalsOf(['सब ठीक है'], 'hi')).size).toBe(0)
})
