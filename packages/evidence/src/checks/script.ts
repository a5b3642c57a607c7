import { scriptOf } from '@subtext/captions'

/** Regular expressions for the scripts that `Intl` names. Scripts that share letters are listed together. */
const SCRIPTS: Partial<Record<string, RegExp>> = {
  Arab: /\p{sc=Arabic}/gu,
  Cyrl: /\p{sc=Cyrillic}/gu,
  Deva: /\p{sc=Devanagari}/gu,
  Grek: /\p{sc=Greek}/gu,
  Hans: /\p{sc=Han}/gu,
  Hant: /\p{sc=Han}/gu,
  Hebr: /\p{sc=Hebrew}/gu,
  Jpan: /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]/gu,
  Kore: /[\p{sc=Hangul}\p{sc=Han}]/gu,
  Latn: /\p{sc=Latin}/gu,
  Thai: /\p{sc=Thai}/gu,
}
const LETTERS = /\p{L}/gu
/** Names and terms keep their own script; the rest of a sentence has to be in the script of the language. */
const MIN_SHARE = 0.3

/** Returns a function that tells whether a text is in the script of a language. Every text is if the script is unknown. */
export function createScriptCheck(language: string): (text: string) => boolean {
  const script = SCRIPTS[scriptOf(language) ?? '']
  return (text) => {
    const letters = text.match(LETTERS)?.length ?? 0
    return !script || letters === 0 || (text.match(script)?.length ?? 0) >= letters * MIN_SHARE
  }
}
