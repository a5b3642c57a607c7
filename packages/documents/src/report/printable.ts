import { foldText } from '@subtext/render'

// Invisible marks that reverse or reorder text, and characters that have no visible form.
const UNSEEN = /[\p{Bidi_Control}\p{Noncharacter_Code_Point}\ufeff\u{e0000}-\u{e007f}]/gu
const UNKNOWN = /[\p{Co}\p{Cn}]/gu
// Right-to-left letters that no font has: scripts such as Syriac, Thaana and N'Ko, and rare letters of Arabic. Typst crashes
// where it breaks a line of them.
const WITHOUT_FONT =
  /[\u0700-\u074f\u0780-\u088f\u0892-\u089f\u08a1-\u08ab\u08ad-\u08b5\u08be-\u08d0\u08d2-\u08e3\u08ff\ufbc2-\ufbd2\ufd40-\ufd4f\ufd90\ufd91\ufdc8-\ufdcf\ufdfe\ufdff\u{10800}-\u{10fff}\u{1e800}-\u{1edff}\u{1ef00}-\u{1efff}]/gu
const REPLACEMENT = '\ufffd'
// As in `templates/words.typ`.
const BREAKING =
  '\\s\u00ad\u200b\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}'
const DASHES = '\\-\u2010\u2013\u2014'
const JOINED_DASH = `[${DASHES}](?=[${DASHES}\\p{Nd}])`
const ANY_LETTER = `(?:[^${BREAKING}${DASHES}]|${JOINED_DASH})`
const WIDE_LETTER = `(?:[^${BREAKING}${DASHES}!-~\\p{sc=Latin}\\p{sc=Greek}\\p{sc=Cyrillic}]|${JOINED_DASH})`
/** Words with fewer letters fit on a line of the transcript, whatever their letters are. */
const LONG_WORD = new RegExp(`(${ANY_LETTER}{28,}|${WIDE_LETTER}{14,})`, 'u')

/** Returns folded text from outside without characters that cannot be printed. */
export const printableLine = (line: string): string =>
  line.replace(UNSEEN, '').replace(UNKNOWN, REPLACEMENT).replace(WITHOUT_FONT, REPLACEMENT)

/** Returns text from outside as one line of characters that can be printed. */
export const printable = (text: string): string => printableLine(foldText(text)).trim()

/** Splits text into parts of which every second is a word that may be wider than a line. */
export const splitAtLongWords = (text: string): string[] => text.split(LONG_WORD)
