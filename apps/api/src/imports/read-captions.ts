import { type ImportSource, ServiceError } from '@subtext/contracts'
import type { ImportCaller, ReadImportedCaptions } from '@subtext/core/imports'
import { isOnlyHan, loadLanguageDetector } from '@subtext/evidence'
import type { ImportMetrics } from './metrics.ts'
import type { OpenImportThreads } from './open-threads.ts'
import { type CaptionsRefusal, decodeInline, readInline } from './tasks.ts'

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

/** Returns the refusal of captions that cannot be read. */
const refuseCaptions = ({ message, reason, line }: CaptionsRefusal): ServiceError =>
  new ServiceError('CAPTIONS_UNREADABLE', { message, details: { reason, ...(line !== undefined && { line }) } })

/** Decoding or reading this much takes about ten milliseconds. Longer captions are read in a thread. */
const MAX_INLINE_CHARS = 100_000

/** Creates the function that reads imported captions. It rejects with `CAPTIONS_UNREADABLE` or `SERVICE_UNAVAILABLE`. */
export function createCaptionsReader(
  threads: Pick<OpenImportThreads, 'read'>,
  { countRefused }: Pick<ImportMetrics, 'countRefused'>,
  maxInlineChars = MAX_INLINE_CHARS,
): ReadImportedCaptions {
  const read = async ({ captions, format, speakers }: ImportSource, caller: ImportCaller) =>
    captions.length <= maxInlineChars
      ? readInline(captions, { format, speakers })
      : threads.read(captions, { format, speakers }, caller)
  return async (source, caller) => {
    const reading = await read(source, caller)
    if ('refusal' in reading) {
      countRefused(reading.refusal.reason)
      throw refuseCaptions(reading.refusal)
    }
    const { cues, language, digest } = reading
    return { cues, language: source.language ?? canonicalLanguage(language) ?? (await detectLanguage(cues)), digest }
  }
}

/** Returns the text of a file of captions. Rejects with `CAPTIONS_UNREADABLE` or `SERVICE_UNAVAILABLE`. */
export type DecodeCaptionFile = (file: Uint8Array, caller: ImportCaller) => Promise<string>

/** Creates the function that decodes files of captions. */
export function createFileDecoder(
  threads: Pick<OpenImportThreads, 'decode'>,
  { countRefused }: Pick<ImportMetrics, 'countRefused'>,
): DecodeCaptionFile {
  return async (file, caller) => {
    const { text, refusal } = file.length <= MAX_INLINE_CHARS ? decodeInline(file) : await threads.decode(file, caller)
    if (!refusal) return text
    countRefused(refusal.reason)
    throw refuseCaptions(refusal)
  }
}
