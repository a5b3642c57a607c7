import { INJECTION_SIGNS } from './injection-signs.ts'
import type { Pace } from './pacer.ts'
import type { SummarySource } from './summarizer.ts'

/** Tag characters and long runs of invisible ones carry text that people do not see; overrides turn words around. */
const HIDDEN = /[\u{E0020}-\u{E007F}]|[\u200B-\u200D\u2060-\u2064]{3}|[\u202D\u202E]/u
/** Flags of parts of a country are spelt with tag characters. */
const FLAG = /\u{1F3F4}[\u{E0020}-\u{E007F}]+/gu

/** Long enough to be looked at as one, with what comes along of the one before. */
const PIECE_CHARS = 800
const TAIL_CHARS = 200
const MAX_LINE_CHARS = 4_000
const INVISIBLE = /[\u00AD\u200B-\u200F\u2060-\u2064\uFEFF]/g
/** Signs that belong together begin so close to each other. */
const CLOSE_CHARS = 150

const LT = /&(?:lt|#60|#x3c);/g
const GT = /&(?:gt|#62|#x3e);/g

const fold = (text: string): string =>
  text.normalize('NFKC').replace(INVISIBLE, '').replace(/\s+/g, ' ').toLowerCase().replace(LT, '<').replace(GT, '>')

const placesOf = (sign: RegExp, text: string): number[] => [...text.matchAll(sign)].map(({ index }) => index)

function looksLikeOrder(text: string): boolean {
  if (HIDDEN.test(text.replace(FLAG, ''))) return true
  const folded = fold(text)
  const { clear, order, topic } = INJECTION_SIGNS
  if (clear.some((sign) => folded.search(sign) >= 0)) return true
  const orders = order.map((sign) => placesOf(sign, folded))
  if (orders.every((places) => places.length === 0)) return false
  const kinds = [...orders, ...topic.map((sign) => placesOf(sign, folded))]
  return orders.some((places, kind) =>
    places.some((at) =>
      kinds.some((others, other) => other !== kind && others.some((place) => Math.abs(place - at) <= CLOSE_CHARS)),
    ),
  )
}

/**
 * Whether the video holds what looks like orders to a language model: in its title, description, chapters or in what is
 * said, also where captions break it into several lines. A hint for people; the defences do not depend on it.
 */
export async function suspectInjection({ video, cues }: SummarySource, pace: Pace): Promise<boolean> {
  const around = [video.title, video.channel.name, ...video.chapters.map(({ title }) => title)]
  if ([...around, video.description].some((text) => looksLikeOrder(text.slice(0, MAX_LINE_CHARS)))) return true
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
