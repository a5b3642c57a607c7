import { INJECTION_SIGNS, type Sign } from './injection-signs.ts'
import type { Pace } from './pacer.ts'
import type { SummarySource } from './summarizer.ts'

/** Tag characters and long runs of invisible ones carry text that people do not see; overrides reverse words. */
const HIDDEN = /[\u{E0020}-\u{E007F}]|[\u200B-\u200D\u2060-\u2064]{3}|[\u202D\u202E]/u
/** Flags of regions are spelled with tag characters. */
const FLAG = /\u{1F3F4}[\u{E0020}-\u{E007F}]+/gu

/** Captions are examined in pieces of this length, each with the end of the one before it. */
const PIECE_CHARS = 3_000
const TAIL_CHARS = 200
const MAX_LINE_CHARS = 4_000
const INVISIBLE = /[\u00AD\u200B-\u200F\u2060-\u2064\uFEFF]/g
/** Signs of one order begin at most this far apart. */
const MAX_DISTANCE_CHARS = 150

const LT = /&(?:lt|#60|#x3c);/g
const GT = /&(?:gt|#62|#x3e);/g

/** Text that normalization leaves unchanged. */
const ASCII = /^[ -~]*$/

const fold = (text: string): string => {
  const plain = ASCII.test(text) ? text : text.normalize('NFKC').replace(INVISIBLE, '')
  const line = plain.replace(/\s+/g, ' ').toLowerCase()
  return line.includes('&') ? line.replace(LT, '<').replace(GT, '>') : line
}

const occurs = ({ pattern, stem }: Sign, text: string): boolean =>
  (!stem || text.search(stem) >= 0) && text.search(pattern) >= 0

const findAll = (sign: Sign, text: string): number[] =>
  occurs(sign, text) ? [...text.matchAll(sign.pattern)].map(({ index }) => index) : []

function looksLikeOrder(text: string): boolean {
  if (HIDDEN.test(text) && HIDDEN.test(text.replace(FLAG, ''))) return true
  const folded = fold(text)
  const { clear, order, topic } = INJECTION_SIGNS
  if (clear.some((sign) => occurs(sign, folded))) return true
  const orders = order.map((sign) => findAll(sign, folded))
  if (orders.every((positions) => positions.length === 0)) return false
  const all = [...orders, ...topic.map((sign) => findAll(sign, folded))]
  return orders.some((positions, kind) =>
    all.some((others, otherKind) => otherKind !== kind && areClose(positions, others)),
  )
}

/** Returns whether two ascending lists have positions close to each other. */
function areClose(left: number[], right: number[]): boolean {
  let next = 0
  return left.some((position) => {
    while (next < right.length && (right[next] ?? 0) < position - MAX_DISTANCE_CHARS) next++
    const nearest = right[next]
    return nearest !== undefined && nearest <= position + MAX_DISTANCE_CHARS
  })
}

/**
 * Returns whether the title, description, chapters or speech of the video contain what looks like instructions to a language
 * model, even if captions break them into several lines. This is a hint for people; the defenses do not depend on it.
 */
export async function suspectInjection({ video, cues }: SummarySource, pace: Pace): Promise<boolean> {
  const titles = [video.title, video.channel.name, ...video.chapters.map(({ title }) => title)]
  if ([...titles, video.description].some((text) => looksLikeOrder(text.slice(0, MAX_LINE_CHARS)))) return true
  let piece = ''
  for (const { text } of cues) {
    await pace()
    piece = `${piece} ${text.slice(0, MAX_LINE_CHARS)}`
    if (piece.length < PIECE_CHARS) continue
    if (looksLikeOrder(piece)) return true
    piece = piece.slice(-TAIL_CHARS)
  }
  return looksLikeOrder(piece)
}
