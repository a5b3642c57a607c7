import { describeMinLength, ServiceError, type ValidationIssue, validationError } from '@subtext/contracts'
import type { z } from 'zod'
import { findNearestName } from './nearest-name.ts'
import { suggestField } from './suggest-field.ts'

/** Without a limit, a body full of unknown fields would cause a response many times its size. */
export const MAX_ISSUES = 500
/** Maximum length of an unknown field's path in a message. The path of the issue itself is complete. */
const MAX_SHOWN = 120

const TYPES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: '`true` or `false`',
  array: 'a list',
  object: 'an object',
}

const PDF_ELSEWHERE = 'For a PDF, use `GET /videos/export/{job_id}/pdf`.'
const TWICE = 'Is sent more than once. Send it once.'

const codeSpan = (value: unknown): string => `\`${String(value)}\``
const formatCount = (value: unknown): string => Number(value).toLocaleString('en-US')

function describeLimit(comparison: 'at least' | 'at most', limit: unknown, origin: string): string {
  if (origin === 'array')
    return `Must have ${comparison} ${formatCount(limit)} ${Number(limit) === 1 ? 'entry' : 'entries'}.`
  if (origin === 'string' && comparison === 'at least') return describeMinLength(Number(limit))
  if (origin === 'string') return `Must have ${comparison} ${formatCount(limit)} characters.`
  return `Must be ${comparison} ${formatCount(limit)}.`
}

function describeChoice(values: readonly unknown[], input: unknown): string {
  const choices = values.map(String)
  const near = typeof input === 'string' ? findNearestName(input, choices) : undefined
  const list = choices.length === 1 ? codeSpan(choices[0]) : `one of ${choices.map(codeSpan).join(', ')}`
  const elsewhere = choices.includes('srt') && input === 'pdf' ? ` ${PDF_ELSEWHERE}` : ''
  return `Must be ${list}.${near === undefined ? elsewhere : ` Did you mean ${codeSpan(near)}?`}`
}

const FORMATS: Record<string, string | undefined> = {
  uuid: 'Must be a UUID.',
  email: 'Must be an email address, such as `name@example.com`.',
}

/** Returns a message about what a value must be, if the schema itself has none. */
const describe: z.core.$ZodErrorMap = (issue) => {
  if (issue.input === undefined && issue.code.startsWith('invalid_')) return 'Is required.'
  switch (issue.code) {
    case 'invalid_type':
      if (issue.expected === 'string' && Array.isArray(issue.input)) return 'Must be a string, not a list.'
      return `Must be ${TYPES[issue.expected] ?? issue.expected}.`
    case 'invalid_value':
      return describeChoice(issue.values, issue.input)
    case 'too_small':
      return describeLimit('at least', issue.minimum, issue.origin)
    case 'too_big':
      return describeLimit('at most', issue.maximum, issue.origin)
    case 'invalid_format':
      return FORMATS[issue.format]
    default:
      return undefined
  }
}

function describeUnknown(kind: string, path: string, suggestion: string | undefined): string {
  const shown = path.length > MAX_SHOWN ? `${path.slice(0, MAX_SHOWN)}...` : path
  return `Unknown ${kind} ${codeSpan(shown)}.${suggestion === undefined ? '' : ` Did you mean ${codeSpan(suggestion)}?`}`
}

interface Part {
  schema: z.ZodType
  /** Prefix of the paths of the issues. */
  prefix?: 'query'
}

/** Parses a part of a request. Returns its value or its issues. Each unknown field is an issue, up to a limit. */
export function parsePart(
  { schema, prefix }: Part,
  value: unknown,
): { value: unknown } | { issues: ValidationIssue[] } {
  const parsed = schema.safeParse(value, { error: describe })
  if (parsed.success) return { value: parsed.data }
  const join = (path: PropertyKey[]): string => path.map(String).join('.')
  const inRequest = (path: string): string => [prefix, path].filter(Boolean).join('.')
  const kind = prefix === 'query' ? 'query parameter' : 'field'
  const issues: ValidationIssue[] = []
  /** Paths of fields that were probably sent under a wrong name. */
  const meant = new Set<string>()
  for (const issue of dropWiderLimits(parsed.error.issues)) {
    if (issue.code !== 'unrecognized_keys') {
      const isMissing = issue.message.startsWith('Is required')
      issues.push({
        path: inRequest(join(issue.path)),
        message: prefix === 'query' && isList(value, issue.path[0]) ? TWICE : issue.message,
        code: isMissing ? 'required' : issue.code,
      })
      continue
    }
    for (const key of issue.keys.slice(0, Math.max(0, MAX_ISSUES - issues.length))) {
      const path = [...issue.path, key]
      const suggestion = suggestField(schema, path)
      if (suggestion !== undefined) meant.add(suggestion)
      const message = describeUnknown(kind, join(path), suggestion)
      issues.push({ path: inRequest(join(path)), message, code: 'unknown_field' })
    }
  }
  // The missing field was probably sent under the name that another issue is about, so that issue comes first.
  const isConsequence = ({ path, code }: ValidationIssue): boolean =>
    code === 'required' && meant.has(path.replace(/^query\./, ''))
  const ordered = [...issues.filter((issue) => !isConsequence(issue)), ...issues.filter(isConsequence)]
  return { issues: ordered.slice(0, MAX_ISSUES) }
}

/** Returns the issues without those that name a wider limit of a value than another one: whole numbers have a limit of their own. */
function dropWiderLimits(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  const limits = new Map<string, number>()
  const keyOf = ({ code, path }: z.core.$ZodIssue): string => `${code} ${path.join('.')}`
  const limitOf = (issue: z.core.$ZodIssue): number | null => {
    if (issue.code === 'too_big') return Number(issue.maximum)
    return issue.code === 'too_small' ? -Number(issue.minimum) : null
  }
  for (const issue of issues) {
    const limit = limitOf(issue)
    if (limit !== null) limits.set(keyOf(issue), Math.min(limit, limits.get(keyOf(issue)) ?? limit))
  }
  return issues.filter((issue) => (limits.get(keyOf(issue)) ?? null) === limitOf(issue))
}

const isList = (query: unknown, name: PropertyKey | undefined): boolean =>
  name !== undefined && Array.isArray((query as Record<PropertyKey, unknown> | undefined)?.[name])

/** Returns the issues, naming each field as the caller sent it, even if that name is deprecated. */
export const useSentNames = (issues: ValidationIssue[], renamed: ReadonlyMap<string, string>): ValidationIssue[] =>
  issues.map((issue) => {
    const sent = renamed.get(issue.path)
    if (sent === undefined) return issue
    return { ...issue, path: sent, message: issue.message.replace(codeSpan(issue.path), () => codeSpan(sent)) }
  })

/** Does the same for an error that has issues. */
export function refuseInSentNames(error: unknown, renamed: ReadonlyMap<string, string>): unknown {
  if (!(error instanceof ServiceError) || renamed.size === 0) return error
  if (error.code !== 'VALIDATION_ERROR' && error.code !== 'INVALID_VIDEO_URL') return error
  return validationError(useSentNames((error.details?.issues ?? []) as ValidationIssue[], renamed), error.code)
}
