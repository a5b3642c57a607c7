import type { Cue } from '@subtext/contracts'

/** What the numbers of a document stand for. */
export interface Evidence {
  /** Segments of the transcript (1-based positions) behind a number of the document; none: the number is not in it. */
  segmentsOf(id: number): number[]
  /** What was said at these segments and right beside them, with what the document itself says under the numbers. */
  textOf(ids: number[], segmentIds: number[]): string
}

/** Lines break in the middle of sentences, and models are off by one. */
const NEIGHBOURS = 2
const MAX_CUES = 60
/** Of all of it together; more is no evidence any more. */
const MAX_CHARS = 6_000

function readAround(cues: Cue[], segmentIds: number[]): string {
  const around = new Set<number>()
  for (const id of segmentIds) {
    for (let at = id - NEIGHBOURS; at <= id + NEIGHBOURS && around.size < MAX_CUES; at++) around.add(at)
  }
  return [...around]
    .sort((a, b) => a - b)
    .map((id) => cues[id - 1]?.text.slice(0, MAX_CHARS / around.size) ?? '')
    .join(' ')
}

/** Of a document whose numbers are those of the segments from `first` to `last`. */
export const buildTranscriptEvidence = (cues: Cue[], first = 1, last = cues.length): Evidence => ({
  segmentsOf: (id) => (Number.isInteger(id) && id >= first && id <= last ? [id] : []),
  textOf: (_ids, segmentIds) => readAround(cues, segmentIds),
})

/** A statement that was taken down from a part of a transcript, with the segments it was found to rest on. */
export interface Note {
  text: string
  segmentIds: number[]
}

/** Of a document whose numbers are the positions of notes, from 1. */
export const buildNotesEvidence = (cues: Cue[], notes: Note[], first = 1, last = notes.length): Evidence => ({
  segmentsOf: (id) => (id >= first && id <= last ? (notes[id - 1]?.segmentIds ?? []) : []),
  textOf: (ids, segmentIds) => [readAround(cues, segmentIds), ...ids.map((id) => notes[id - 1]?.text ?? '')].join(' '),
})
