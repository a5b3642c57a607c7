/** Languages, as primary subtags, whose words are found without the spaces around them. */
export const UNSPACED: ReadonlySet<string> = new Set(['ja', 'ko', 'zh'])
