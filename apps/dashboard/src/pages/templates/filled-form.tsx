import type { ExtractionEvidence, ExtractionResult, FormSchema } from '@subtext/sdk'
import { Fragment, type ReactNode } from 'react'
import { formatCount } from '../../format.ts'
import { kindOf, nameProperty } from './describe-form.ts'

/** Moments that are shown for a value. */
const MAX_MOMENTS = 3

interface FilledFormProps {
  extraction: ExtractionResult
  /** Shows a line that carries a value. */
  showMoment: (line: ExtractionEvidence) => ReactNode
}

interface Place extends Pick<FilledFormProps, 'showMoment'> {
  form: FormSchema
  value: unknown
  /** Of the value in `data`. */
  pointer: string
  evidence: ExtractionResult['evidence']
}

/** A filled template: every value with the moments at which it is said, and how many were not carried by any line. */
export function FilledForm({ extraction, showMoment }: FilledFormProps) {
  const { schema, data, evidence, unsupported, template, version, model } = extraction
  return (
    <div dir="auto" className="flex flex-col gap-4 text-[0.95rem] leading-relaxed">
      <Value form={schema} value={data} pointer="" evidence={evidence} showMoment={showMoment} />
      <p className="text-xs text-muted">
        {`${template}@${version}, filled by ${model === 'extractive' ? 'sentences of the transcript' : model}.`}
        {unsupported.length > 0 &&
          ` ${formatCount(unsupported.length, 'value')} left out, which no line of the transcript supports: ${unsupported.join(', ')}.`}
      </p>
    </div>
  )
}

function Value(place: Place) {
  const { form, value } = place
  if (isEmpty(value)) return <span className="text-muted">Not said</span>
  switch (kindOf(form)) {
    case 'object':
      return <Properties {...place} />
    case 'array':
      return <Elements {...place} />
    default:
      return (
        <>
          <span className="wrap-anywhere">{typeof value === 'boolean' ? (value ? 'Yes' : 'No') : String(value)}</span>
          <Moments {...place} />
        </>
      )
  }
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0)

const escapeToken = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

function Properties({ form, value, pointer, ...rest }: Place) {
  const fields = value as Record<string, unknown>
  const known = Object.entries(form.properties ?? {}).filter(([name]) => Object.hasOwn(fields, name))
  const [only] = known
  const place = ([name, inner]: (typeof known)[number]): Place => ({
    ...rest,
    form: inner,
    value: fields[name],
    pointer: `${pointer}/${escapeToken(name)}`,
  })
  // A form of one list needs no name for it.
  if (only && known.length === 1 && kindOf(only[1]) === 'array') return <Value {...place(only)} />
  return (
    <dl className="grid gap-x-4 sm:grid-cols-[fit-content(10rem)_1fr] sm:gap-y-1.5">
      {known.map((property) => (
        <Fragment key={property[0]}>
          <dt className="text-sm leading-relaxed wrap-anywhere text-muted">{nameProperty(...property)}</dt>
          <dd className="mb-1.5 min-w-0 last:mb-0 sm:mb-0">
            <Value {...place(property)} />
          </dd>
        </Fragment>
      ))}
    </dl>
  )
}

function Elements({ form, value, pointer, ...rest }: Place) {
  const items = form.items
  if (!items) return null
  const isNested = kindOf(items) === 'object'
  return (
    <ul className={isNested ? 'flex flex-col gap-2' : 'flex list-disc flex-col gap-1.5 pl-5 marker:text-muted'}>
      {(value as unknown[]).map((element, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: the elements of a list have no other identity, and never move
          key={index}
          className={isNested ? 'rounded-xl border border-line bg-surface px-4 py-3' : undefined}
        >
          <Value {...rest} form={items} value={element} pointer={`${pointer}/${index}`} />
        </li>
      ))}
    </ul>
  )
}

/** The lines that carry a value, without those that follow another one. */
function Moments({ evidence, pointer, showMoment }: Place) {
  const lines = evidence[pointer] ?? []
  const ids = new Set(lines.map(({ segment_id }) => segment_id))
  const begins = lines.filter(({ segment_id }) => !ids.has(segment_id - 1)).slice(0, MAX_MOMENTS)
  return begins.map((line) => <Fragment key={line.segment_id}> {showMoment(line)}</Fragment>)
}
