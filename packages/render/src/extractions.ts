import {
  type Extraction,
  type ExtractionEvidence,
  type ExtractionResult,
  type FormSchema,
  kindOf,
} from '@subtext/contracts'
import { guardCell, writeCsvRows } from './csv-table.ts'
import type { Opening } from './opening.ts'
import type { Moment, Syntax } from './syntax.ts'
import { buildWatchUrl, placeOf } from './video-times.ts'

/** Returns the extractions of a result by name, as they are sent. */
export const describeExtractions = (
  extractions: readonly Extraction[],
  place: string,
): Record<string, ExtractionResult> =>
  Object.fromEntries(extractions.map((extraction) => [extraction.template, describeExtraction(extraction, place)]))

const describeExtraction = ({ evidence, data, ...rest }: Extraction, place: string): ExtractionResult => ({
  template: rest.template,
  version: rest.version,
  schema: rest.schema,
  data: data as Record<string, unknown>,
  evidence: Object.fromEntries(
    Object.entries(evidence).map(([pointer, lines]) => [
      pointer,
      lines.map(({ segmentId, startMs, quote }) => ({
        segment_id: segmentId,
        start: startMs / 1_000,
        url: buildWatchUrl(place, startMs),
        quote,
      })),
    ]),
  ),
  unsupported: rest.unsupported,
  model: rest.model,
})

interface Value {
  /** Names of properties, from the element or the root. */
  path: string[]
  value: unknown
  moments: ExtractionEvidence[]
}

/** Part of the form with its data. */
interface Place {
  form: FormSchema
  data: unknown
  pointer: string
  evidence: Extraction['evidence']
}

const escapeToken = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
const nameOf = (name: string, { title }: FormSchema): string => title ?? name.replaceAll('_', ' ')

function listProperties({ form, data, pointer, evidence }: Place): [name: string, place: Place][] {
  const fields = data as Record<string, unknown>
  return Object.entries(form.properties ?? {})
    .filter(([name]) => Object.hasOwn(fields, name) && fields[name] !== null)
    .map(([name, inner]) => [
      nameOf(name, inner),
      { form: inner, data: fields[name], pointer: `${pointer}/${escapeToken(name)}`, evidence },
    ])
}

const listElements = ({ form, data, pointer, evidence }: Place): Place[] =>
  (data as unknown[]).map((element, index) => ({
    form: form.items ?? { type: 'string' },
    data: element,
    pointer: `${pointer}/${index}`,
    evidence,
  }))

/** Lists all values of a place, however deep. */
function listValues(place: Place, path: string[] = []): Value[] {
  const { form, data, pointer, evidence } = place
  if (data === null || data === undefined) return []
  switch (kindOf(form)) {
    case 'object':
      return listProperties(place).flatMap(([name, inner]) => listValues(inner, [...path, name]))
    case 'array':
      return listElements(place).flatMap((inner) => listValues(inner, path))
    default:
      return [{ path, value: data, moments: evidence[pointer] ?? [] }]
  }
}

const MAX_MOMENTS = 3

function toMoments(lines: readonly ExtractionEvidence[], place: string): Moment[] {
  const distinct = new Map(lines.map(({ segmentId, startMs }) => [segmentId, { place, startMs, segmentId }]))
  const ordered = [...distinct.values()].sort((one, other) => one.startMs - other.startMs)
  return ordered.filter(({ segmentId }) => !distinct.has(segmentId - 1)).slice(0, MAX_MOMENTS)
}

interface Layout {
  syntax: Syntax
  colon: string
  place: string
}

const writeValue = ({ path, value }: Value, { colon }: Layout): string => {
  const text = typeof value === 'boolean' ? (value ? '✓' : '✗') : String(value)
  return path.length === 0 ? text : `${path.join(' › ')}${colon}${text}`
}

/** Writes the values of an element, or of the root, as one item of a list. */
const layOutItem = (values: Value[], layout: Layout): string =>
  layout.syntax.claim({
    text: values.map((value) => writeValue(value, layout)).join(' · '),
    moments: toMoments(
      values.flatMap(({ moments }) => moments),
      layout.place,
    ),
  })

function layOutPlace(place: Place, layout: Layout, level: number): string[] {
  const properties = listProperties(place)
  const isList = ([, { form }]: [string, Place]): boolean => kindOf(form) === 'array'
  const single = properties.filter((each) => !isList(each)).flatMap(([name, inner]) => listValues(inner, [name]))
  const lists = properties.filter(isList).flatMap(([name, inner]) => {
    const items = listElements(inner).map((element) => layOutItem(listValues(element), layout))
    // A template of one list needs no heading for it.
    const heading = properties.length > 1 ? [layout.syntax.heading({ level, text: name })] : []
    return items.length > 0 ? [...heading, layout.syntax.list(items)] : []
  })
  const items = single.map((value) => layOutItem([value], layout))
  return [...(items.length > 0 ? [layout.syntax.list(items)] : []), ...lists]
}

/** Returns the filled templates with their headings, from level 2. */
export function layOutExtractions({ syntax, labels, result }: Opening): string[] {
  const { extractions = [], videoInfo } = result
  if (extractions.length === 0) return []
  const layout = { syntax, colon: labels.colon, place: placeOf(videoInfo) }
  return [
    syntax.heading({ level: 2, text: labels.extractions, id: 'extractions' }),
    ...extractions.flatMap(({ template, version, schema, data, evidence }) => [
      syntax.heading({ level: 3, text: `${schema.title ?? template} (${template}@${version})` }),
      ...layOutPlace({ form: schema, data, pointer: '', evidence }, layout, 4),
    ]),
  ]
}

interface Card {
  question: string
  answer: string
}

/**
 * Returns the flash cards of a result as a table of `question,answer,link`, which Anki imports. Null if it has none. Text that
 * could be read as a formula is prefixed with an apostrophe.
 */
export function renderCards(extractions: readonly Extraction[], place: string): string | null {
  const filled = extractions.find(({ template }) => template === 'flashcards')
  const cards = (filled?.data as { cards?: Card[] } | undefined)?.cards ?? []
  if (!filled || cards.length === 0) return null
  const rows = cards.map(({ question, answer }, index) => {
    const startMs = filled.evidence[`/cards/${index}/answer`]?.[0]?.startMs ?? 0
    return [guardCell(question), guardCell(answer), buildWatchUrl(place, startMs)]
  })
  return `question,answer,link\r\n${writeCsvRows(rows)}`
}
