import type { Cue } from '@subtext/contracts'

/** What was said where a claim says it was. */
export interface SaidLines {
  /** What the cited segments say. */
  cited: string
  /** The same with their neighbors: captions break in the middle of sentences, and models are off by one. */
  near: string
  /** What the cited segments say, with those beside them in which their sentences begin or end. */
  sentences: string
  /** What the claim quotes from them. */
  quotes?: readonly string[]
}

/** Resolves the numbers of a document to what was said. */
export interface Evidence {
  /** Returns the transcript segments (1-based) behind a number of the document; none if the number is not in it. */
  segmentsOf(id: number): number[]
  /** Returns the speech of these segments and their neighbors, with the document's own text under the numbers. */
  textOf(ids: number[], segmentIds: number[]): string
  /** Returns what the further checks read: the speech of these segments, with the notes under the numbers of the document. */
  linesOf(segmentIds: number[], ids?: number[]): SaidLines
  /** Returns what a single segment says. */
  read: ReadSegment
}

/** Segments on each side of a cited one that may support a claim as well. */
export const NEIGHBORS = 2
const MAX_CUES = 60
/** Maximum length for all cues together; a longer text would support anything. */
const MAX_CHARS = 6_000

function readAround(cues: Cue[], segmentIds: number[]): string {
  const around = new Set<number>()
  for (const id of segmentIds) {
    for (let near = id - NEIGHBORS; near <= id + NEIGHBORS && around.size < MAX_CUES; near++) around.add(near)
  }
  return [...around]
    .sort((a, b) => a - b)
    .map((id) => cues[id - 1]?.text.slice(0, MAX_CHARS / around.size) ?? '')
    .join(' ')
}

/** Maximum length of what most checks read of a single segment. */
const MAX_SEGMENT = 1_200
/** Maximum number of characters that NFKC makes of one: a letter that stands for a whole phrase. */
const MAX_EXPANSION = 18
const PIECE = 100

/** Returns a text, or its beginning in NFKC if it is longer than `max` characters, also once its letters are spelled out. */
export function readBeginning(text: string, max: number): string {
  if (text.length * MAX_EXPANSION <= max) return text
  let spelled = ''
  for (let start = 0; start < text.length && spelled.length <= max; start += PIECE) {
    spelled += text.slice(start, start + PIECE).normalize('NFKC')
  }
  return spelled.length <= max ? text : spelled.slice(0, max)
}

/** Returns what a segment (1-based) says: the beginning of one that is too long, and nothing for one that does not exist. */
export type ReadSegment = (id: number) => string

/**
 * Creates the function that reads segments for checks that look at dozens of them, many times over. Hostile ones are long: each
 * is shortened once.
 */
export function createSegmentReader(cues: readonly Cue[], max = MAX_SEGMENT): ReadSegment {
  const known = new Map<number, string>()
  return (id) => {
    const text = known.get(id) ?? readBeginning(cues[id - 1]?.text ?? '', max)
    known.set(id, text)
    return text
  }
}

const SENTENCE_END = /[.!?։।؟。！？…]["'”’)]?\s*$/u

/** Returns the numbers of segments with those beside them in which their sentences begin or end. */
function completeSentences(cues: readonly Cue[], segmentIds: readonly number[]): number[] {
  const isOpen = (id: number): boolean => cues[id - 1] !== undefined && !SENTENCE_END.test(cues[id - 1]?.text ?? '')
  return segmentIds.flatMap((id) => {
    let [first, last] = [id, id]
    while (id - first < NEIGHBORS && isOpen(first - 1)) first--
    while (last - id < NEIGHBORS && isOpen(last)) last++
    return Array.from({ length: last - first + 1 }, (_, index) => first + index)
  })
}

function readTranscript(cues: Cue[]): { read: ReadSegment; linesOf(segmentIds: number[]): SaidLines } {
  const read = createSegmentReader(cues)
  const join = (ids: number[]): string =>
    [...new Set(ids)]
      .sort((a, b) => a - b)
      .slice(0, MAX_CUES)
      .map(read)
      .join(' ')
  return {
    read,
    linesOf: (segmentIds) => ({
      cited: join(segmentIds),
      near: readAround(cues, segmentIds),
      sentences: join(completeSentences(cues, segmentIds)),
    }),
  }
}

/** Creates the evidence of a document whose numbers are those of the segments from `first` to `last`. */
export const buildTranscriptEvidence = (cues: Cue[], first = 1, last = cues.length): Evidence => ({
  ...readTranscript(cues),
  segmentsOf: (id) => (Number.isInteger(id) && id >= first && id <= last ? [id] : []),
  textOf: (_ids, segmentIds) => readAround(cues, segmentIds),
})

/** A statement taken from a part of a transcript, with the segments that support it. */
export interface Note {
  text: string
  segmentIds: number[]
}

/**
 * Creates the evidence of a document whose numbers are the positions of notes, from 1. Whoever reads the notes knows nothing
 * else, so a claim may rest on what they say, too: each was checked against its own segments.
 */
export function buildNotesEvidence(cues: Cue[], notes: Note[], first = 1, last = notes.length): Evidence {
  const { read, linesOf } = readTranscript(cues)
  const withNotes = (speech: string, ids: number[]): string =>
    [speech, ...ids.map((id) => notes[id - 1]?.text ?? '')].join(' ')
  return {
    read,
    linesOf(segmentIds, ids = []) {
      const { cited, near, sentences } = linesOf(segmentIds)
      return { cited: withNotes(cited, ids), near: withNotes(near, ids), sentences: withNotes(sentences, ids) }
    },
    segmentsOf: (id) => (id >= first && id <= last ? (notes[id - 1]?.segmentIds ?? []) : []),
    textOf: (ids, segmentIds) => withNotes(readAround(cues, segmentIds), ids),
  }
}
