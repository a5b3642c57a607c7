import { createHash } from 'node:crypto'
import { readCaptionFile, UnreadableCaptionsError } from '@subtext/captions'
import { type ImportSource, ServiceError } from '@subtext/contracts'
import type { ReadImportedCaptions } from '@subtext/core/imports'
import { isOnlyHan, loadLanguageDetector } from '@subtext/evidence'

/** Enough to recognize a language. */
const SAMPLE_CHARS = 5_000
const UNKNOWN = 'und'

async function detectLanguage(texts: readonly { text: string }[]): Promise<string> {
  let sample = ''
  for (const { text } of texts) {
    sample += `${text} `
    if (sample.length > SAMPLE_CHARS) break
  }
  if (isOnlyHan(sample)) return 'zh'
  return (await loadLanguageDetector())(sample) ?? UNKNOWN
}

/** Returns the canonical form of a language that a file names, or null if it is not one. */
function canonicalLanguage(tag: string | null): string | null {
  try {
    return tag === null || tag === UNKNOWN ? null : (Intl.getCanonicalLocales(tag)[0] ?? null)
  } catch {
    return null
  }
}

/** Line ends and a byte order mark make no difference. */
const digestOf = (captions: string): string =>
  createHash('sha256')
    .update(captions.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n'))
    .digest('base64url')

/** Returns the refusal of captions that cannot be read. */
export const refuseCaptions = ({ message, reason, line }: UnreadableCaptionsError): ServiceError =>
  new ServiceError('CAPTIONS_UNREADABLE', { message, details: { reason, ...(line !== undefined && { line }) } })

function read({ captions, format, speakers }: ImportSource) {
  try {
    return readCaptionFile(captions, { format, speakers })
  } catch (error) {
    throw error instanceof UnreadableCaptionsError ? refuseCaptions(error) : error
  }
}

/** Reads imported captions. Rejects with `CAPTIONS_UNREADABLE`. */
export const readCaptions: ReadImportedCaptions = async (source) => {
  const { cues, language } = read(source)
  return {
    cues,
    language: source.language ?? canonicalLanguage(language) ?? (await detectLanguage(cues)),
    digest: digestOf(source.captions),
  }
}
