import type { Format } from '@subtext/contracts'
import type { FinishedJob, ShownJob } from '@subtext/core/jobs'
import type { KeepTranscript } from '@subtext/render'
import { bytesOf, keepAnswers } from './kept-answers.ts'
import type { PresentedResult, PresentOptions } from './presented-result.ts'

/** UTF-16 code units. Longer texts are read and rendered for each request, as a stream. */
const MAX_KEPT_CHARS = 256 * 1024

/** Returns the result of a completed job as it was presented before, or else what `present` returns. */
export type KeepResult = (
  job: ShownJob,
  format: Format,
  options: PresentOptions,
  present: () => Promise<PresentedResult>,
) => Promise<PresentedResult>

/**
 * Creates the function that keeps short results in memory once they have been sent. A completed result never changes except for
 * the link to its infographic, so results with an infographic are not kept.
 */
function createResultKeeper(): KeepResult {
  const kept = keepAnswers<PresentedResult & { text: Buffer }>(({ text }) => text.length)
  return async (job, format, options, present) => {
    if (job.options.generate_infographic) return present()
    const key = JSON.stringify([job.id, format, options])
    const known = kept.get(key)
    if (known) return known
    const presented = await present()
    if (Buffer.isBuffer(presented.text)) return presented
    const keep = (text: string): void => void kept.set(key, { ...presented, text: Buffer.from(text) })
    return { ...presented, text: collect(presented.text, keep) }
  }
}

/** Returns the function that yields the transcript of a result as it was rendered before, for whichever job. */
export type KeepTranscriptOf = (transcript: FinishedJob['transcript']) => KeepTranscript

/** Creates the function that keeps short transcripts in memory once they have been rendered. A transcript never changes. */
function createTranscriptKeeper(): KeepTranscriptOf {
  const kept = keepAnswers(bytesOf)
  return ({ id, cueCount }) =>
    async function* keepTranscript(form, write) {
      const key = JSON.stringify([id, cueCount, form])
      const known = kept.get(key)
      if (known !== undefined) yield known
      else yield* collect(write(), (text) => void kept.set(key, text))
    }
}

export interface ResultKeepers {
  keepResult: KeepResult
  keepTranscript: KeepTranscriptOf
}

export const createResultKeepers = (): ResultKeepers => ({
  keepResult: createResultKeeper(),
  keepTranscript: createTranscriptKeeper(),
})

/** Yields all pieces, and then passes on the whole text unless it is long. */
async function* collect(pieces: AsyncIterable<string>, keep: (text: string) => void): AsyncGenerator<string> {
  let collected: string | null = ''
  for await (const piece of pieces) {
    collected = collected !== null && collected.length + piece.length <= MAX_KEPT_CHARS ? collected + piece : null
    yield piece
  }
  if (collected !== null) keep(collected)
}
