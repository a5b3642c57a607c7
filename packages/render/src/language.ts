/** ISO 15924 codes of the right-to-left scripts in use today. */
const RIGHT_TO_LEFT = new Set(['Adlm', 'Arab', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa', 'Yezi'])

export interface Language {
  /** BCP-47 tag in its canonical form. */
  tag: string
  direction: 'ltr' | 'rtl'
}

/** Parses the language tag of a caption track. Undefined if it is not valid: the platform can send anything. */
export function parseLanguage(tag: string): Language | undefined {
  try {
    const locale = new Intl.Locale(tag)
    const script = locale.maximize().script
    return { tag: locale.toString(), direction: script && RIGHT_TO_LEFT.has(script) ? 'rtl' : 'ltr' }
  } catch {
    return undefined
  }
}
