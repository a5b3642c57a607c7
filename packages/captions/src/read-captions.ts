import type { CleaningReport, Cue, TrackKind } from '@subtext/contracts'
import { cleanCuesInTurns } from './cleaning/clean-cues.ts'
import { parseTimedText } from './formats/timed-text.ts'

export interface CaptionOptions {
  kind: TrackKind
}

export interface CaptionResult {
  /** Number of cues before cleaning; 0 when the platform withheld the track. */
  written: number
  cues: Cue[]
  report: CleaningReport
}

/** Parses and cleans the body of a caption track, given in chunks. Rejects with what `parseTimedText` throws. */
export async function readCaptions(body: Uint8Array[], { kind }: CaptionOptions): Promise<CaptionResult> {
  const written = parseTimedText(new TextDecoder().decode(Buffer.concat(body)))
  const { cues, report } = await cleanCuesInTurns(written, kind)
  return { written: written.length, cues, report }
}
