import type { Cue } from '@subtext/contracts'
import { escapeLine, joinPassages, nameSpeakers, type PromptLine } from '@subtext/summarize/prompts'
import type { FoundPassage, LibraryLine, LibraryVideo } from './types.ts'

/**
 * Empty lines between passages. They keep apart what was not said in a row: checks read the neighbors of a cited line, and no
 * quotation may run from one passage into the next.
 */
const GAP = 8

/** The lines of one video, under the numbers of the document. */
export interface LaidOutVideo {
  video: LibraryVideo
  lines: PromptLine[]
  /** The lines, joined as the document has them. */
  joined: PromptLine[]
}

/** Passages of several videos as one document, whose lines are numbered from 1. */
export interface LaidOutPassages {
  /** Each line by its number; those between passages are empty. */
  cues: Cue[]
  videos: LaidOutVideo[]
  /** Returns what the line with this number is. */
  lineAt(id: number): LibraryLine | undefined
  /** Returns the number of a segment, if the document has it. */
  find(jobId: string, segmentId: number): number | undefined
}

const EMPTY: Cue = { startMs: 0, durationMs: 0, text: '' }

/** No moment is beyond the end of its video, whatever its captions say. */
const isWithin = ({ info }: LibraryVideo, { startMs }: Cue): boolean =>
  info.duration_seconds <= 0 || startMs < info.duration_seconds * 1_000

/** Lays passages out as a document: videos by their best passage, the passages of each in the order of its transcript. */
export function layOutPassages(passages: readonly FoundPassage[]): LaidOutPassages {
  const cues: Cue[] = []
  const places = new Map<number, LibraryLine>()
  const numbers = new Map<string, number>()
  const videos = new Map<LibraryVideo, PromptLine[]>()
  for (const { video } of passages) videos.set(video, [])
  for (const [video, lines] of videos) {
    const own = passages.filter((passage) => passage.video === video).sort((a, b) => a.first - b.first)
    for (const { first, cues: said } of own) {
      cues.push(...Array.from({ length: GAP }, () => EMPTY))
      for (const [nth, cue] of nameSpeakers(said).entries()) {
        const segmentId = first + nth
        const isKnown = numbers.has(`${video.jobId} ${segmentId}`)
        const id = cues.push(isWithin(video, cue) && !isKnown ? cue : EMPTY)
        if (cues[id - 1] === EMPTY) continue
        numbers.set(`${video.jobId} ${segmentId}`, id)
        places.set(id, { video, segmentId, startMs: cue.startMs, text: said[nth]?.text ?? '' })
        const text = escapeLine(cue.text)
        if (text !== '') lines.push({ id, text, startMs: cue.startMs, chapters: [] })
      }
    }
  }
  return {
    cues,
    videos: [...videos]
      .filter(([, lines]) => lines.length > 0)
      .map(([video, lines]) => ({ video, lines, joined: joinPassages(lines) })),
    lineAt: (id) => places.get(id),
    find: (jobId, segmentId) => numbers.get(`${jobId} ${segmentId}`),
  }
}
