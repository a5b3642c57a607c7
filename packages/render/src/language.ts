/** ISO 15924 codes of the scripts in use today that run from right to left. */
const RIGHT_TO_LEFT = new Set(['Adlm', 'Arab', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa', 'Yezi'])

export interface Language {
  /** BCP-47 in its canonical spelling. */
  tag: string
  direction: 'ltr' | 'rtl'
}

/** What a caption track's language tag says; undefined when it is none, for the platform is free to send anything. */
export function parseLanguage(tag: string): Language | undefined {
  try {
    const locale = new Intl.Locale(tag)
    const script = locale.maximize().script
    return { tag: locale.toString(), direction: script && RIGHT_TO_LEFT.has(script) ? 'rtl' : 'ltr' }
  } catch {
    return undefined
  }
}
