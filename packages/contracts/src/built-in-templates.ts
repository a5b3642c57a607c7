import type { FormSchema } from './template-schema.ts'

interface BuiltInTemplate {
  description: string
  schema: FormSchema
  /** Whether it is filled without a language model, from sentences of the transcript. */
  worksWithoutModel: boolean
}

const listOf = (name: string, properties: Record<string, FormSchema>, required: string[]): FormSchema => ({
  type: 'object',
  properties: {
    [name]: { type: 'array', items: { type: 'object', properties, required, additionalProperties: false } },
  },
  required: [name],
  additionalProperties: false,
})
const text = (description: string): FormSchema => ({ type: 'string', description })

/** The templates that everyone has, by their reserved names. Each has the version 1. */
export const BUILT_IN_TEMPLATES = {
  quotes: {
    description: 'The most quotable statements, word for word.',
    schema: listOf(
      'quotes',
      {
        quote: text('A sentence that is worth repeating, word for word as it is said, or the part of it that is.'),
        speaker: text('Who says it, only if the transcript names them.'),
      },
      ['quote'],
    ),
    worksWithoutModel: true,
  },
  chapters: {
    description: 'The parts of the video with their titles. The first one starts at 0.',
    schema: listOf(
      'chapters',
      {
        title: text('What the part is about, in a few words of its lines. The lines are those where it begins.'),
        start: { type: 'number', description: 'Seconds from the beginning of the video.' },
      },
      ['title', 'start'],
    ),
    worksWithoutModel: true,
  },
  action_items: {
    description: 'What is to be done, by whom, and by when.',
    schema: listOf(
      'items',
      {
        text: text('What is to be done, as a sentence in words of the lines.'),
        owner: text('Who is to do it, only if it is said.'),
        due: text('Until when, as it is said, only if it is.'),
      },
      ['text'],
    ),
    worksWithoutModel: false,
  },
  flashcards: {
    description: 'Questions and answers to learn from. `format=anki` returns them as cards.',
    schema: listOf(
      'cards',
      {
        question: text('A question about one fact, which shares a word with its answer.'),
        answer: text('The answer as a whole sentence in words of the lines.'),
      },
      ['question', 'answer'],
    ),
    worksWithoutModel: false,
  },
} as const satisfies Record<string, BuiltInTemplate>

export type BuiltInName = keyof typeof BUILT_IN_TEMPLATES
export const BUILT_IN_NAMES = Object.keys(BUILT_IN_TEMPLATES) as BuiltInName[]
export const isBuiltIn = (name: string): name is BuiltInName => Object.hasOwn(BUILT_IN_TEMPLATES, name)
