import type { CleaningReport, Cue, TrackKind } from '@subtext/contracts'
import { cleanCuesInTurns } from './clean-cues.ts'
import { parseTimedText } from './timed-text.ts'

export interface CaptionOptions {
  kind: TrackKind
}

export interface CaptionResult {
  /** Cues as they were written; none where the platform withheld the track. */
  written: number
  cues: Cue[]
  report: CleaningReport
}

/** What is said in a caption track, from its body in pieces. Rejects with a `SyntaxError` where `parseTimedText` throws it. */
export async function readCaptions(body: Uint8Array[], { kind }: CaptionOptions): Promise<CaptionResult> {
  const written = parseTimedText(new TextDecoder().decode(Buffer.concat(body)))
  return { written: written.length, ...(await cleanCuesInTurns(written, kind)) }
}
