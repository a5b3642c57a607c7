import { cleanLine } from '@subtext/captions'

/** A line reduced to readable speech. */
export interface CleanText {
  text: string
  /** The line begins with the mark of another speaker. */
  isNewSpeaker: boolean
}

// No real caption line comes near this; it limits the work on a hostile one.
const MAX_LINE_CHARS = 20_000

const SPEAKER_CHANGE = /^(?:(?:>|&gt;){2,}|[-–—•]\s)\s*/u
/** An aside between dashes that fills a line: `- the museums, the towns -`. */
const ASIDE = /^[-–—]\s.*\s[-–—]$/u
/** Music, and rows of asterisks, with which people mark places. */
const MARKS = /[♩♪♫♬]+|\*{2,}/gu
/** Parentheses hold asides as well as notes; at the beginning of a line they hold notes. */
const LEADING_NOTE = /^(?:\([^()]{1,30}\)|（[^（）]{1,20}）)\s*/u
const STAGE_NOTE = /[[［【][^[［【\]］】]{0,80}[\]］】]/gu

const replaceUnsafe = (raw: string): string =>
  cleanLine(raw, MAX_LINE_CHARS)
    .replace(/[\p{Co}\ufffd]/gu, '')
    .replace(/(\p{M}{4})\p{M}+/gu, '$1')

const replaceMarkup = (text: string): string =>
  text
    .replace(/&lt;/giu, '<')
    .replace(/&gt;/giu, '>')
    .replace(/&(?:nbsp|#160);/giu, ' ')
    .replace(/&(?:amp|#38);/giu, '&')
    .replace(/<[a-z/!?][^<>]*>/giu, ' ')
    .replace(/!?\[([^[\]]*)\]\s?(?:\([^()]*\)|\[[^[\]]*\])/gu, '$1')
    .replace(/\b[a-z][a-z0-9+.-]{1,20}:\/\/\S*|\bwww\.\S+|\b(?:javascript|data|mailto):\S+/giu, ' ')
    // Angle brackets stay only between spaces, so that joining lines cannot turn them into a tag.
    .replace(/(?<!\S\s)<|<(?!\s\S)|(?<!\S\s)>|>(?!\s\S)/gu, ' ')

/** Removes control characters, bidi overrides, tags, links, addresses and stage notes such as `[Music]`; collapses spaces. */
export function cleanCueText(raw: string): CleanText {
  const safe = replaceUnsafe(raw).trim()
  const spoken = ASIDE.test(safe) ? safe : safe.replace(SPEAKER_CHANGE, '')
  const text = replaceMarkup(spoken)
    .trim()
    .replace(LEADING_NOTE, '')
    .replace(STAGE_NOTE, ' ')
    .replace(MARKS, ' ')
    .replace(/[[\]`]+/gu, ' ')
  return { text: text.replace(/\s+/gu, ' ').trim(), isNewSpeaker: spoken !== safe }
}

/** Like `cleanCueText`, but keeps the text of stage notes, for transcripts that have nothing else. */
export const cleanNoteText = (raw: string): string =>
  replaceMarkup(replaceUnsafe(raw))
    .replace(MARKS, ' ')
    .replace(/[[\]［］【】`]+/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim()

/** Returns whether a text has a letter or a digit. */
export const isReadable = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)
