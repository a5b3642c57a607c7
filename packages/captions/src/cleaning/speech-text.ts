import type { TrackKind } from '@subtext/contracts'
import { MAX_RAW_LENGTH } from '../formats/cue-list.ts'
import { decodeEntities } from '../formats/entities.ts'
import { cleanParagraphs } from './foreign-text.ts'

// Far more than fits on a screen, so only hostile tracks are cut.
const MAX_CUE_LENGTH = 10_000

// The platform's XML formats escape twice, and tracks converted from them keep one level in every other format.
const decodeTwice = (text: string): string => decodeEntities(decodeEntities(text))

const MARKUP = /<\/?(?:i|b|u|s|c|v|font|ruby|rt|rp|lang)(?:[\s.][^<>]{0,200})?>|<\d{1,3}:\d\d(?::\d\d)?\.\d{3}>/gi

// Sound descriptions are in square brackets. In parentheses, only the most common ones can be told from an aside.
const BRACKETED = /[[【［][^[\]【】［］]{0,60}[\]】］]/g
const SOUND_WORDS =
  'music|applause|laughter|laughs|cheering|silence|音楽|拍手|笑い?|笑声|掌声|音乐|音樂|음악|박수|웃음|música|aplausos|risas|risos|musique|applaudissements|rires|musik|applaus|gelächter|lachen|musica|applausi|risate|музыка|аплодисменты|смех'
const SOUND_IN_PARENTHESES = new RegExp(`[(（]\\s*(?:${SOUND_WORDS})\\s*[)）]`, 'giu')
const NOTHING_SPOKEN = /^[\s♪♫♩♬🎵🎶.,…\-–—_*~>]*$/u

// `[ __ ]` replaces a spoken word that the platform masks.
const isMaskedWord = (token: string): boolean => token.includes('_')

const isSilent = (text: string): boolean =>
  NOTHING_SPOKEN.test(
    text.replace(BRACKETED, (token) => (isMaskedWord(token) ? 'word' : '')).replace(SOUND_IN_PARENTHESES, ''),
  )

/** Marks a change of speaker. A control character, which cleaned text never contains. */
export const TURN = '\u0001'
const TURNS = new RegExp(` ?${TURN}[${TURN} ]*`, 'g')

// Inside a line of a manual track, `>>` may be part of the text, such as an operator.
const SPEAKER_MARK = { manual: /^\s*>{2,}\s*/, auto: /(?:^|(?<=\s))>{2,}(?=\s|$)|^>{2,}/g }

export interface SpokenText {
  /** Spoken lines with single spaces and a `TURN` where the speaker changes. Empty for a line that only describes a sound. */
  lines: string[]
  /** The same lines as shown on the screen, sounds included. */
  shown: string[]
  /** Number of sound descriptions removed. */
  soundsRemoved: number
}

/** Words in printable ASCII with single spaces, without any character that markup, entities, sounds or turns consist of. */
const PLAIN_WORDS = /^(?=[^A-Za-z0-9]*[A-Za-z0-9])[!-%'*-;=?-Z\\^-~]+(?: [!-%'*-;=?-Z\\^-~]+)*$/

const cleanSpokenLine = (line: string, kind: TrackKind): string =>
  line.replace(SPEAKER_MARK[kind], TURN).replace(/\s+/g, ' ').replace(TURNS, TURN).trim()

/**
 * Extracts the spoken text of a cue: decodes entities, removes markup and invisible characters, and replaces speaker marks
 * (`>>`) with `TURN`. Returns no lines for a cue that only describes sounds. In automatic tracks, sound descriptions
 * within a line are removed too.
 */
export const readSpeech = (text: string, kind: TrackKind): SpokenText => {
  // Most cues are clean already, and finding that out is several times cheaper than cleaning them.
  if (text.length <= MAX_CUE_LENGTH && PLAIN_WORDS.test(text)) return { lines: [text], shown: [text], soundsRemoved: 0 }
  const plain = cleanParagraphs(decodeTwice(text.slice(0, MAX_RAW_LENGTH)).replace(MARKUP, ''), MAX_CUE_LENGTH)
  if (plain === '') return { lines: [], shown: [], soundsRemoved: 0 }
  if (isSilent(plain)) return { lines: [], shown: [], soundsRemoved: 1 }
  let soundsRemoved = 0
  const withoutSounds = (line: string): string =>
    line.replace(BRACKETED, (token) => {
      if (isMaskedWord(token)) return token
      soundsRemoved++
      return ' '
    })
  const lines: string[] = []
  const shown: string[] = []
  for (const line of plain.split('\n')) {
    const visible = cleanSpokenLine(line, kind)
    if (visible === '' || visible === TURN) continue
    const spoken = kind === 'auto' ? cleanSpokenLine(withoutSounds(line), kind) : visible
    shown.push(visible)
    lines.push(spoken === TURN ? '' : spoken)
  }
  return { lines, shown, soundsRemoved }
}
