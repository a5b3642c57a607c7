/** A transcript as an item of a feed names it. */
export interface NamedTranscript {
  url: string
  type: string
  language: string | null
  rel: string | null
}

const FORMATS = ['vtt', 'srt', 'json', 'html'] as const

/** The words in a media type, and the endings of names, by which a format is recognized. */
const MARKS: Record<(typeof FORMATS)[number], { type: RegExp; name: RegExp }> = {
  vtt: { type: /vtt/i, name: /\.vtt$/i },
  srt: { type: /srt|subrip/i, name: /\.srt$/i },
  json: { type: /json/i, name: /\.json$/i },
  html: { type: /html/i, name: /\.html?$/i },
}
/** Types that are never text. */
const UNREADABLE = /^(?:audio|video|image|font)\/|\/(?:pdf|zip|msword|rtf|epub)/i

const pathOf = (url: string): string => URL.parse(url)?.pathname ?? ''

/** Returns the place of a transcript among others: by its declared type, else by its name. Its content decides when it is read. */
function rankOf({ url, type }: NamedTranscript): number {
  const isSilent = type === '' || /^(?:text\/plain|application\/octet-stream)/i.test(type)
  const byType = isSilent ? -1 : FORMATS.findIndex((format) => MARKS[format].type.test(type))
  if (byType >= 0) return byType
  const byName = FORMATS.findIndex((format) => MARKS[format].name.test(pathOf(url)))
  return byName >= 0 ? byName : FORMATS.length
}

const isCaptions = ({ rel }: NamedTranscript): boolean => rel?.toLowerCase() === 'captions'

/** Transcripts that are kept of an episode. */
const MAX_TRANSCRIPTS = 20

/** Returns the transcripts that may be readable, the best first: WebVTT, SubRip, JSON, HTML, and those of one kind as captions first. */
export const rankTranscripts = (transcripts: readonly NamedTranscript[]): NamedTranscript[] =>
  transcripts
    .filter(({ type }) => !UNREADABLE.test(type))
    .toSorted((one, other) => rankOf(one) - rankOf(other) || Number(isCaptions(other)) - Number(isCaptions(one)))
    .slice(0, MAX_TRANSCRIPTS)
