import type { Cue } from '@subtext/contracts'

/** Resolves the numbers of a document to what was said. */
export interface Evidence {
  /** Returns the transcript segments (1-based) behind a number of the document; none if the number is not in it. */
  segmentsOf(id: number): number[]
  /** Returns the speech of these segments and their neighbors, with the document's own text under the numbers. */
  textOf(ids: number[], segmentIds: number[]): string
}

/** Captions break in the middle of sentences, and models are off by one. */
const NEIGHBORS = 2
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

/** Creates the evidence of a document whose numbers are those of the segments from `first` to `last`. */
export const buildTranscriptEvidence = (cues: Cue[], first = 1, last = cues.length): Evidence => ({
  segmentsOf: (id) => (Number.isInteger(id) && id >= first && id <= last ? [id] : []),
  textOf: (_ids, segmentIds) => readAround(cues, segmentIds),
})

/** A statement taken from a part of a transcript, with the segments that support it. */
export interface Note {
  text: string
  segmentIds: number[]
}

/** Creates the evidence of a document whose numbers are the positions of notes, from 1. */
export const buildNotesEvidence = (cues: Cue[], notes: Note[], first = 1, last = notes.length): Evidence => ({
  segmentsOf: (id) => (id >= first && id <= last ? (notes[id - 1]?.segmentIds ?? []) : []),
  textOf: (ids, segmentIds) => [readAround(cues, segmentIds), ...ids.map((id) => notes[id - 1]?.text ?? '')].join(' '),
})
