/** What the list of jobs is filtered by. */
export interface JobMatcher {
  /** A regular expression of PostgreSQL for titles and names of channels. */
  pattern: string
  /** The whole text, for the ID of a channel. */
  exact: string
  /** The beginning of the ID of a video, or null for a text that is too short to be one. */
  videoId: string | null
  /** The beginning of the ID of a job, or null for a text that cannot be one. */
  jobId: string | null
}

/** Shorter ones are words rather than IDs. */
const MIN_VIDEO_ID = 4
const JOB_ID = /^[0-9a-f]{8}[0-9a-f-]{0,28}$/
/** The letters that Turkish writes with and without a dot. */
const DOTTED_I = 'iIİı'

/**
 * Returns what matches a text literally, in any case. The cases of letters are part of the pattern, because PostgreSQL knows only
 * those of its locale, which may be none.
 */
export function buildMatcher(text: string): JobMatcher {
  const exact = text.trim().normalize('NFC')
  const lower = exact.toLowerCase()
  return {
    pattern: exact
      .split(/\s+/u)
      .map((word) => [...word].map(matchLetter).join(''))
      .join('\\s+'),
    exact,
    videoId: [...exact].length >= MIN_VIDEO_ID ? exact : null,
    jobId: JOB_ID.test(lower) ? lower : null,
  }
}

const escapeSign = (letter: string): string => (/[\p{L}\p{M}\p{N}]/u.test(letter) ? letter : `\\${letter}`)

/** Some signs, such as `ß`, have another length in upper case. */
const isOne = (text: string): boolean => [...text].length === 1

function matchLetter(letter: string): string {
  const forms = DOTTED_I.includes(letter) ? [...DOTTED_I] : [letter, letter.toLowerCase(), letter.toUpperCase()]
  const different = [...new Set(forms.filter(isOne))]
  return different.length > 1 ? `[${different.join('')}]` : escapeSign(letter)
}
