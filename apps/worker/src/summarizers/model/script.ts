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

function completeTag(language: string): { language: string; script: string } {
  try {
    const { language: base, script = '' } = new Intl.Locale(language).maximize()
    return { language: base, script }
  } catch {
    return { language, script: '' }
  }
}

/** The same words are written the same way in both languages (BCP-47). */
export function isWrittenAlike(one: string, other: string): boolean {
  const [a, b] = [completeTag(one), completeTag(other)]
  return a.language === b.language && a.script === b.script
}

/** Tells whether a text is in the script of a language; every text is, where we do not know the script. */
export function createScriptCheck(language: string): (text: string) => boolean {
  const script = SCRIPTS[completeTag(language).script]
  return (text) => {
    const letters = text.match(LETTERS)?.length ?? 0
    return !script || letters === 0 || (text.match(script)?.length ?? 0) >= letters * LEAST_SHARE
  }
}
