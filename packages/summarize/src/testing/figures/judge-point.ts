import type { SummaryPoint } from '@subtext/contracts'
import { tidySpoken } from '../../extractive/habits.ts'
import { isUnspaced, listUnits, rangeOfLines, type SpokenTrack } from './spoken-document.ts'

/** Whether a point begins and ends where sentences do, and whether it is exactly one sentence. */
export interface Judgment {
  isComplete: boolean
  isOne: boolean
}

const FILLER = /^(?:um+|uh+|uhm|erm?|eh|hmm?|mm+|ah|euh|äh|ähm|hum)$/
/** Units that tell a place in the text. */
const KEY_UNITS = { spaced: 3, unspaced: 6 }
/** Units of connection to the sentence before that a point may leave out. */
const MAX_LEAD_UNITS = 8

interface Place {
  unit: string
  position: number
}

/** Returns the units of a passage without hesitation and immediate repetitions, which points leave out. */
function listFluent({ units, document }: SpokenTrack, from: number, to: number): Place[] {
  const unspaced = isUnspaced(document.language)
  const places: Place[] = []
  for (let position = from; position < to; position++) {
    for (const unit of listUnits(units[position] ?? '', 'en')) {
      if (FILLER.test(unit)) continue
      if (!unspaced && places.at(-1)?.unit === unit) places.pop()
      places.push({ unit, position })
    }
  }
  return places
}

const startsAt = (places: Place[], key: string[], index: number): boolean =>
  key.every((unit, i) => places[index + i]?.unit === unit)

/** Compares a point with the sentences of the text that it was taken from. */
export function judgePoint(track: SpokenTrack, { text, segmentIds }: SummaryPoint): Judgment {
  const { language } = track.document
  const unspaced = isUnspaced(language)
  const size = unspaced ? KEY_UNITS.unspaced : KEY_UNITS.spaced
  const units = listUnits(text, language)
  const [first, last] = [units.slice(0, size), units.slice(-size)]
  const range = rangeOfLines(track, segmentIds)
  const places = listFluent(track, range.from, range.to)
  const begin = places.findIndex((_, i) => startsAt(places, first, i))
  const end = places.findLastIndex((_, i) => startsAt(places, last, i))
  const from = places[begin]?.position
  const to = places[end + last.length - 1]?.position
  if (begin < 0 || end < 0 || from === undefined || to === undefined) return { isComplete: false, isOne: false }
  const spokenFrom = (position: number) => {
    const spoken = track.units.slice(position, to + 1).join(unspaced ? '' : ' ')
    return listUnits(tidySpoken(spoken, language), language).slice(0, size).join(' ')
  }
  let start = from
  while (start > 0 && from - start < MAX_LEAD_UNITS && !track.starts.has(start)) start--
  const beginsWell = track.starts.has(start) && (start === from || spokenFrom(start) === first.join(' '))
  const isComplete = beginsWell && track.starts.has(to + 1)
  let isOne = isComplete
  for (let position = start + 1; position <= to; position++) if (track.starts.has(position)) isOne = false
  return { isComplete, isOne }
}
