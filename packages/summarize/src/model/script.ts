import { scriptOf } from '@subtext/captions'

/** Scripts that `Intl` names, as regular expressions know them. Those that share letters stand together. */
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
/** Names and terms of other scripts stay what they are; a sentence needs some of its own. */
const LEAST_SHARE = 0.3

/** Tells whether a text is in the script of a language; every text is, where we do not know the script. */
export function createScriptCheck(language: string): (text: string) => boolean {
  const script = SCRIPTS[scriptOf(language) ?? '']
  return (text) => {
    const letters = text.match(LETTERS)?.length ?? 0
    return !script || letters === 0 || (text.match(script)?.length ?? 0) >= letters * LEAST_SHARE
  }
}
