import { z } from 'zod'
import { readingLoosely } from './read-arguments.ts'
import { cursor, jobId, maxChars, submission } from './schemas.ts'

const strict = z.strictObject({
  ...submission,
  job_id: jobId,
  cursor,
  max_chars: maxChars,
  fresh: z.boolean().default(false),
})
const schema = readingLoosely(strict)
const REQUIRED = { video_url: 'x', job_id: 'j' }
const READ = { ...REQUIRED, max_chars: 40_000, fresh: false }

test.each<[string, object, object]>([
  ['null', { cursor: null, summary_modes: null, language: null, max_chars: null, fresh: null }, {}],
  ['an empty text', { cursor: '', summary_modes: '', language: ' ', max_chars: '', fresh: '' }, {}],
  ['an unknown argument that is null', { format: null }, {}],
  ['a number as text', { max_chars: '2000' }, { max_chars: 2_000 }],
  ['a number as text with decimals of zero', { max_chars: '2000.0' }, { max_chars: 2_000 }],
  ['a boolean as text', { fresh: 'True' }, { fresh: true }],
  ['one value instead of a list', { summary_modes: 'tldr' }, { summary_modes: ['tldr'] }],
  ['a list as JSON in a text', { summary_modes: '["tldr", "detailed"]' }, { summary_modes: ['tldr', 'detailed'] }],
  ['a list with commas', { summary_modes: 'tldr, detailed' }, { summary_modes: ['tldr', 'detailed'] }],
  ['an empty list as JSON in a text', { summary_modes: '[]' }, { summary_modes: [] }],
  [
    'a text that looks like a number',
    { language: 'de', custom_instructions: '30' },
    { language: 'de', custom_instructions: '30' },
  ],
])('reads %s as models mean it', (_, args, expected) => {
  expect(schema.parse({ ...REQUIRED, ...args })).toEqual({ ...READ, ...expected })
})

test.each<[string, object]>([
  ['a number that is none', { max_chars: 'many' }],
  ['a number outside of its limits', { max_chars: '5' }],
  ['a boolean that is none', { fresh: 'maybe' }],
  ['an unknown value in a list', { summary_modes: 'tldr, poem' }],
  ['null in a list', { summary_modes: [null] }],
  ['an unknown argument', { format: 'pdf' }],
  ['an empty text where a value is required', { job_id: '' }],
])('refuses %s', (_, args) => {
  expect(schema.safeParse({ ...REQUIRED, ...args }).success).toBe(false)
})

test('the schema that clients read is the strict one', () => {
  expect(z.toJSONSchema(schema, { io: 'input' })).toEqual(z.toJSONSchema(strict, { io: 'input' }))
})
