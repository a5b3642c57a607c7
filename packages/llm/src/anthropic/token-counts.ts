import { z } from 'zod'
import { parseJson } from '../plain-json.ts'

/** More tokens than any model reads or writes. */
const MAX_COUNT = 1e9
const count = z.int().nonnegative().max(MAX_COUNT).catch(0)
const optionalCount = z.int().nonnegative().max(MAX_COUNT).nullish().catch(null)

/** The tokens written to the cache, by how long their entries are kept. */
const CacheWrites = z.looseObject({ ephemeral_1h_input_tokens: count }).nullish().catch(null)

/** The token counts of a message, with zero in place of invalid ones. */
export const TokenCounts = z
  .looseObject({
    input_tokens: count,
    output_tokens: count,
    cache_creation_input_tokens: optionalCount,
    cache_read_input_tokens: optionalCount,
    cache_creation: CacheWrites,
  })
  .catch({ input_tokens: 0, output_tokens: 0 })

/** The counts at the end of a stream. A missing one leaves the value from the beginning unchanged. */
const FinalCounts = z
  .looseObject({
    input_tokens: optionalCount,
    output_tokens: count,
    cache_creation_input_tokens: optionalCount,
    cache_read_input_tokens: optionalCount,
  })
  .catch({ output_tokens: 0 })

const StreamEvent = z.looseObject({
  type: z.string(),
  message: z.looseObject({}).optional(),
  usage: z.unknown().optional(),
})

const DATA = 'data:'
const HAS_COUNTS = /"message_(?:start|delta)"/

function normalizeLine(line: string): string {
  if (!line.startsWith(DATA) || !HAS_COUNTS.test(line)) return line
  const event = StreamEvent.safeParse(parseJson(line.slice(DATA.length))).data
  if (event?.type === 'message_start' && event.message) {
    const message = { ...event.message, usage: TokenCounts.parse(event.message.usage) }
    return `${DATA} ${JSON.stringify({ ...event, message })}`
  }
  if (event?.type !== 'message_delta') return line
  return `${DATA} ${JSON.stringify({ ...event, usage: FinalCounts.parse(event.usage) })}`
}

const normalizeLines = (text: string): string => text.split('\n').map(normalizeLine).join('\n')

/** Normalizes the token counts in the server-sent events of an answer: the SDK fails on an event without valid ones. */
export function normalizeCounts(): TransformStream<string, string> {
  let rest = ''
  return new TransformStream({
    transform(chunk, controller) {
      const end = chunk.lastIndexOf('\n') + 1
      if (end > 0) {
        controller.enqueue(normalizeLines(rest + chunk.slice(0, end)))
        rest = ''
      }
      rest += chunk.slice(end)
    },
    flush(controller) {
      if (rest !== '') controller.enqueue(normalizeLine(rest))
    },
  })
}
