import type { SampleCue } from '../sample-video.ts'
import type { SpokenLine } from './speech.ts'

const MANUAL_HEAD = { wireMagic: 'pb3', pens: [{}], wsWinStyles: [{}], wpWinPositions: [{}] }
const AUTO_HEAD = {
  wireMagic: 'pb3',
  pens: [{}],
  wsWinStyles: [{}, { mhModeHint: 2, juJustifCode: 0, sdScrollDir: 3 }],
  wpWinPositions: [{}, { apPoint: 6, ahHorPos: 20, avVerPos: 100, rcRows: 2, ccCols: 40 }],
}

export function buildManualJson3(cues: readonly SampleCue[]): string {
  const events = cues.map((cue) => ({
    tStartMs: cue.startMs,
    dDurationMs: cue.durationMs,
    segs: [{ utf8: cue.text }],
  }))
  return JSON.stringify({ ...MANUAL_HEAD, events })
}

/** Builds a window, then lines of timed words, each preceded by an event that scrolls the window by a newline. */
export function buildAutoJson3(lines: readonly SpokenLine[], lengthMs: number): string {
  const events: unknown[] = [{ tStartMs: 0, dDurationMs: lengthMs, id: 1, wpWinPosId: 1, wsWinStyleId: 1 }]
  lines.forEach((line, index) => {
    const previous = lines[index - 1]
    if (previous !== undefined) events.push(scroll(line.startMs - 10, previous.startMs + previous.durationMs))
    events.push({
      tStartMs: line.startMs,
      dDurationMs: line.durationMs,
      wWinId: 1,
      segs: line.words.map((word, position) =>
        position === 0
          ? { utf8: word.text, acAsrConf: 0 }
          : { utf8: line.separator + word.text, tOffsetMs: word.startMs - line.startMs, acAsrConf: 0 },
      ),
    })
  })
  return JSON.stringify({ ...AUTO_HEAD, events })
}

function scroll(startMs: number, untilMs: number): unknown {
  const event = { tStartMs: startMs, wWinId: 1, aAppend: 1, segs: [{ utf8: '\n' }] }
  // The platform omits the duration when nothing of the previous line is left to show.
  return untilMs - startMs > 10 ? { ...event, dDurationMs: untilMs - startMs } : event
}
