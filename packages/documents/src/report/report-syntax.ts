import {
  buildWatchUrl,
  formatClock,
  type Heading,
  type Moment,
  mergeClaims,
  type Syntax,
  type TimedClaim,
} from '@subtext/render'
import { directionOf } from './languages.ts'
import { printable } from './printable.ts'

/** A text from outside. It carries its direction where that differs from the text around it. */
export type ReportText = string | { text: string; dir: 'ltr' | 'rtl' }

interface ReportMoment {
  time: string
  url: string
  /** Cited segment, if the document has its line. */
  line?: number
}

/** Returns a function that makes texts from outside part of a document in one direction. */
export const createTexts =
  (direction: 'ltr' | 'rtl') =>
  (text: string): ReportText => {
    const line = printable(text)
    const dir = directionOf(line) ?? direction
    return dir === direction ? line : { text: line, dir }
  }

interface SyntaxOptions {
  direction: 'ltr' | 'rtl'
  /** Whether the document has the line of a segment, so that citations can lead to it. */
  hasLine: (segmentId: number) => boolean
}

/** Writes the parts of a document as JSON for the template `report`. Joined blocks are a JSON array. */
export function createReportSyntax({ direction, hasLine }: SyntaxOptions): Syntax {
  const write = JSON.stringify
  const read = (written: string): unknown => JSON.parse(written)
  const toText = createTexts(direction)
  const toMoment = ({ place, startMs, segmentId }: Moment): ReportMoment => ({
    time: formatClock(startMs),
    url: buildWatchUrl(place, startMs),
    ...(segmentId !== undefined && hasLine(segmentId) && { line: segmentId }),
  })
  const toClaim = ({ text, moments }: TimedClaim) => ({ text: toText(text), moments: moments.map(toMoment) })
  return {
    // The heading of the document has a level of its own in a PDF.
    heading: ({ level, text }: Heading) => write({ kind: 'heading', level: level - 1, text: toText(text) }),
    paragraph: (text) => write({ kind: 'claims', claims: [{ text: toText(text), moments: [] }] }),
    claims: (claims) => {
      const merged = mergeClaims(claims).map(toClaim)
      return merged.length === 0 ? '' : write({ kind: 'claims', claims: merged })
    },
    note: (text) => write({ kind: 'note', text: toText(text) }),
    list: (items, numbered = false) =>
      items.length === 0 ? '' : write({ kind: 'list', numbered, items: items.map(read) }),
    item: (text) => write({ text: toText(text), moments: [] }),
    figure: (text) => text,
    claim: (claim) => write(toClaim(claim)),
    moment: (moment, text) => write({ at: toMoment(moment), text: toText(text) }),
    address: (url) => url,
    contents: () => '',
    // A block may itself consist of joined blocks.
    join: (blocks) => write(blocks.filter((block) => block !== '').flatMap(read)),
  }
}
