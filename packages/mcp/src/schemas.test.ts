import { z } from 'zod'
import { submission } from './schemas.ts'

const { custom_instructions: instructions } = submission

test('custom instructions have at most 2,000 characters, counted as in the API', () => {
  expect(instructions.parse(`  ${'🎬'.repeat(2_000)}\n`)).toBe('🎬'.repeat(2_000))
  expect(instructions.safeParse('a'.repeat(2_001)).error?.issues[0]?.message).toBe(
    'Must have at most 2,000 characters.',
  )
  expect(instructions.safeParse('   ').success).toBe(false)
})

test('the schema that clients read names the limits', () => {
  expect(z.toJSONSchema(z.object({ instructions }), { io: 'input' }).properties?.instructions).toEqual({
    type: 'string',
    minLength: 1,
    maxLength: 2_000,
    description: 'What the summaries should focus on.',
  })
})
