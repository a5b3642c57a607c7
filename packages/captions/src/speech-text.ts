import type { TrackKind } from '@subtext/contracts'
import { decodeEntities } from './entities.ts'
import { cleanParagraphs } from './foreign-text.ts'

// Far above any line that fits on a screen: only a hostile track is cut here.
const LONGEST_CUE = 10_000
/** Before entities and markup are taken away, which is most of the work. */
const LONGEST_RAW = 100_000

// The platform's XML formats escape twice, and tracks made from them carry one level into every other format.
const decodeTwice = (text: string): string => decodeEntities(decodeEntities(text))

const MARKUP = /<\/?(?:i|b|u|s|c|v|font|ruby|rt|rp|lang)(?:[\s.][^<>]{0,200})?>|<\d{1,3}:\d\d(?::\d\d)?\.\d{3}>/gi

// Sound descriptions stand in square brackets; in round ones only the commonest are told from an aside.
const BRACKETED = /[[【［][^[\]【】［］]{0,60}[\]】］]/g
const SOUND_WORDS =
  'music|applause|laughter|laughs|cheering|silence|音楽|拍手|笑い?|笑声|掌声|音乐|音樂|음악|박수|웃음|música|aplausos|risas|risos|musique|applaudissements|rires|musik|applaus|gelächter|lachen|musica|applausi|risate|музыка|аплодисменты|смех'
const SOUND_IN_PARENTHESES = new RegExp(`[(（]\\s*(?:${SOUND_WORDS})\\s*[)）]`, 'giu')
const NOTHING_SPOKEN = /^[\s♪♫♩♬🎵🎶.,…\-–—_*~>]*$/u

// `[ __ ]` stands for a spoken word that the platform does not spell out.
const isMaskedWord = (token: string): boolean => token.includes('_')

const isSilent = (text: string): boolean =>
  NOTHING_SPOKEN.test(
    text.replace(BRACKETED, (token) => (isMaskedWord(token) ? 'word' : '')).replace(SOUND_IN_PARENTHESES, ''),
  )

/** Begins what another speaker says. A control character, which no cleaned text holds. */
export const TURN = '\u0001'
const TURNS = new RegExp(` ?${TURN}[${TURN} ]*`, 'g')

// In a manual track `>>` inside a line may be what is talked about, such as an operator.
const SPEAKER_MARK = { manual: /^\s*>{2,}\s*/, auto: /(?:^|(?<=\s))>{2,}(?=\s|$)|^>{2,}/g }

export interface SpokenText {
  /** Each on one line with single spaces; a `TURN` stands where the speaker changes. Empty where only a sound is described. */
  lines: string[]
  /** The same lines as the screen shows them, sounds included. */
  shown: string[]
  /** Descriptions of sounds that were taken out. */
  soundsRemoved: number
}

const cleanSpokenLine = (line: string, kind: TrackKind): string =>
  line.replace(SPEAKER_MARK[kind], TURN).replace(/\s+/g, ' ').replace(TURNS, TURN).trim()

/**
 * The spoken text of a cue: entities decoded, markup and invisible characters removed, speaker marks (`>>`) made `TURN`s.
 * Without lines when the cue describes sounds only. In automatic tracks sound tokens go from within a line too.
 */
export const readSpeech = (text: string, kind: TrackKind): SpokenText => {
  const plain = cleanParagraphs(decodeTwice(text.slice(0, LONGEST_RAW)).replace(MARKUP, ''), LONGEST_CUE)
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
