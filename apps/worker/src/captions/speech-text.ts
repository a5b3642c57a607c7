import type { TrackKind } from '@subtext/contracts'
import { cleanParagraphs } from '../foreign-text.ts'

// Far above any line that fits on a screen: only a hostile track is cut here.
const LONGEST_CUE = 10_000

const NAMED_ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }
const ENTITY = /&(?:(amp|lt|gt|quot|apos|nbsp)|#(\d{1,7})|#[xX]([\da-fA-F]{1,6}));/g

const codePointText = (codePoint: number): string => (codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : '')

const decodeOnce = (text: string): string =>
  text.replace(ENTITY, (_, name?: string, decimal?: string, hex?: string) =>
    name ? (NAMED_ENTITIES[name] ?? '') : codePointText(decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16)),
  )

// The platform's XML formats escape twice, and tracks made from them carry one level into every other format.
const decodeEntities = (text: string): string => (text.includes('&') ? decodeOnce(decodeOnce(text)) : text)

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

const withoutSounds = (line: string): string => line.replace(BRACKETED, (token) => (isMaskedWord(token) ? token : ' '))

// In a manual track `>>` inside a line may be what is talked about, such as an operator.
const SPEAKER_MARK = { manual: /^\s*>{2,}\s*/, auto: /(?:^|(?<=\s))>{2,}(?=\s|$)|^>{2,}/g }

const cleanSpokenLine = (line: string, kind: TrackKind): string =>
  (kind === 'auto' ? withoutSounds(line) : line).replace(SPEAKER_MARK[kind], '').replace(/\s+/g, ' ').trim()

/**
 * The spoken lines of a cue: entities decoded, markup, invisible characters and speaker marks removed.
 * Empty when the cue describes sounds only. In automatic tracks sound tokens go from within a line too.
 */
export const spokenLines = (text: string, kind: TrackKind): string[] => {
  const plain = cleanParagraphs(decodeEntities(text).replace(MARKUP, ''), LONGEST_CUE)
  if (isSilent(plain)) return []
  return plain
    .split('\n')
    .map((line) => cleanSpokenLine(line, kind))
    .filter((line) => line !== '')
}
