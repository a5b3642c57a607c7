import type { TrackKind } from '@subtext/contracts'
import { MAX_RAW_LENGTH } from '../formats/cue-list.ts'
import { decodeEntities } from '../formats/entities.ts'
import { cleanParagraphs } from './foreign-text.ts'

// Far more than fits on a screen, so only hostile tracks are cut.
const MAX_CUE_LENGTH = 10_000

// The platform's XML formats escape twice, and tracks converted from them keep one level in every other format.
const decodeTwice = (text: string): string => decodeEntities(decodeEntities(text))

// `{\an8}` positions a line of SubRip.
const MARKUP =
  /<\/?(?:i|b|u|s|c|v|font|ruby|rt|rp|lang)(?:[\s.][^<>]{0,200})?>|<\d{1,3}:\d\d(?::\d\d)?\.\d{3}>|\{\\(?:an?\d|pos\(|[bisu][01]|\d?c&|f[ns])[^{}]{0,80}\}/gi

// Sound descriptions are in square brackets. In parentheses, only the most common ones can be told from an aside.
const BRACKETED = /[[【［][^[\]【】［］]{0,60}[\]】］]/g
const SOUND_WORDS =
  'music|applause|laughter|laughs|cheering|silence|音楽|拍手|笑い?|笑声|掌声|鼓掌|音乐|音樂|음악|박수|웃음|música|aplausos|risas|risos|musique|applaudissements|rires|musik|applaus|gelächter|lachen|musica|applausi|risate|музыка|аплодисменты|смех|موسيقى|تصفيق|ضحك|संगीत|तालियाँ|हँसी|müzik|alkış|muziek|gelach|muzyka|oklaski|เพลง|ดนตรี|nhạc'
const SOUND_IN_PARENTHESES = new RegExp(`[(（]\\s*(?:${SOUND_WORDS})\\s*[)）]`, 'giu')
// Signs of music in all their forms, dashes and marks of punctuation: without a letter or a digit, nothing is spoken.
const NOTHING_SPOKEN = /^[^\p{L}\p{N}]*$/u

// `[ __ ]` replaces a spoken word that the platform masks.
const isMaskedWord = (token: string): boolean => token.includes('_')

const isSilent = (text: string): boolean =>
  NOTHING_SPOKEN.test(
    text.replace(BRACKETED, (token) => (isMaskedWord(token) ? 'word' : '')).replace(SOUND_IN_PARENTHESES, ''),
  )

/** Characters of Chinese and Japanese, which are written without spaces, and their punctuation. */
const UNSPACED = String.raw`[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\uFF01-\uFF60]`
const SPACES_WITHIN = new RegExp(`(?<=${UNSPACED})\\s+(?=${UNSPACED})`, 'gu')
const NO_SPACE_BETWEEN = new RegExp(`${UNSPACED}\n${UNSPACED}`, 'u')

/** Joins the lines of a cue by spaces, except within Chinese and Japanese, where a line may end in the middle of a word. */
export const joinLines = (lines: string[]): string =>
  lines.reduce((text, line) => {
    if (text === '') return line
    const isUnspaced = NO_SPACE_BETWEEN.test(`${text.slice(-1)}\n${line.slice(0, 2)}`)
    return isUnspaced ? text + line : `${text} ${line}`
  }, '')

/** Marks a change of speaker. A control character, which cleaned text never contains. */
export const TURN = '\u0001'
const TURNS = new RegExp(` ?${TURN}[${TURN} ]*`, 'g')

// Inside a line of a manual track, `>>` may be part of the text, such as an operator.
const SPEAKER_MARK = { manual: /^\s*>{2,}\s*/, auto: /(?:^|(?<=\s))>{2,}(?=\s|$)|^>{2,}/g }

export interface ReadSpeech {
  /** Spoken lines with single spaces and a `TURN` where the speaker changes. Empty for a line that only describes a sound. */
  lines: string[]
  /** The same lines as shown on the screen, sounds included. */
  shown: string[]
  /** Number of sound descriptions removed. */
  soundsRemoved: number
  /** Whether the cue ends with a blank line, which leaves room for the next words of rolling captions. */
  hasRoomBelow: boolean
}

const NOTHING: ReadSpeech = { lines: [], shown: [], soundsRemoved: 0, hasRoomBelow: false }

const BLANK_END = /\n[^\S\n]{0,8}$/

/** Words in printable ASCII with single spaces, without any character that markup, entities, sounds or turns consist of. */
const PLAIN_WORDS = /^(?=[^A-Za-z0-9]*[A-Za-z0-9])[!-%'*-;=?-Z^-~]+(?: [!-%'*-;=?-Z^-~]+)*$/

// People write spaces between Chinese or Japanese words to separate clauses; speech recognition puts them anywhere.
const cleanSpokenLine = (line: string, kind: TrackKind): string =>
  (kind === 'auto' ? line.replace(SPACES_WITHIN, '') : line)
    .replace(SPEAKER_MARK[kind], TURN)
    .replace(/\s+/g, ' ')
    .replace(TURNS, TURN)
    .trim()

/**
 * Extracts the spoken text of a cue: decodes entities, removes markup and invisible characters, and replaces speaker marks
 * (`>>`) with `TURN`. Returns no lines for a cue that only describes sounds. In automatic tracks, sound descriptions
 * within a line are removed too.
 */
export const readSpeech = (text: string, kind: TrackKind): ReadSpeech => {
  // Most cues are clean already, and finding that out is several times cheaper than cleaning them.
  if (text.length <= MAX_CUE_LENGTH && PLAIN_WORDS.test(text)) return { ...NOTHING, lines: [text], shown: [text] }
  const written = decodeTwice(text.slice(0, MAX_RAW_LENGTH)).replace(MARKUP, '')
  const plain = cleanParagraphs(written, MAX_CUE_LENGTH)
  if (plain === '') return NOTHING
  if (isSilent(plain)) return { ...NOTHING, soundsRemoved: 1 }
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
  return { lines, shown, soundsRemoved, hasRoomBelow: BLANK_END.test(written) }
}
