import { type FormSchema, kindOf } from '@subtext/contracts'
import type { Pace } from '../pacer.ts'
import { checkLeaf, type LeafCheck, type WrittenLeaf } from './check-leaf.ts'
import { type Leaf, type Tree, UNSAID, UNSUPPORTED } from './tree.ts'

/** Checks a value of a template. `name`: the property that holds it. */
export type CheckLeaf = (form: FormSchema, written: WrittenLeaf, check: LeafCheck, name: string) => Leaf

/** Elements of a list that are read: more than are kept, because some may not be carried. */
const MAX_READ = 2_000
const MAX_TEXT = 4_000
const MAX_IDS = 50

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

interface ReadOptions {
  check: LeafCheck
  checkValue?: CheckLeaf
  pace: Pace
}

/** Checks every value of an answer. Anything that is not in the form of the schema counts as unsaid. */
export async function readTree(form: FormSchema, answer: unknown, options: ReadOptions, name = ''): Promise<Tree> {
  const kind = kindOf(form)
  if (kind === 'array') {
    const items: Tree[] = []
    for (const item of Array.isArray(answer) ? answer.slice(0, MAX_READ) : []) {
      if (form.items) items.push(await readTree(form.items, item, options, name))
    }
    return { kind: 'list', items }
  }
  if (kind === 'object') {
    const fields = isRecord(answer) ? answer : {}
    const properties = new Map<string, Tree>()
    for (const [property, inner] of Object.entries(form.properties ?? {})) {
      const value = Object.hasOwn(fields, property) ? fields[property] : undefined
      properties.set(property, await readTree(inner, value, options, property))
    }
    return { kind: 'object', properties }
  }
  await options.pace()
  return readLeaf(form, answer, options, name)
}

function readLeaf(
  form: FormSchema,
  answer: unknown,
  { check, checkValue = checkLeaf }: ReadOptions,
  name: string,
): Leaf {
  // A value without lines is not carried by any.
  if (!isRecord(answer)) return answer === undefined || answer === null ? UNSAID : UNSUPPORTED
  const { value, segment_ids: ids, quote } = answer
  const isEmpty = value === undefined || value === null || value === ''
  if (isEmpty) return UNSAID
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return UNSUPPORTED
  if (typeof value === 'string' && value.length > MAX_TEXT) return UNSUPPORTED
  const segmentIds = (Array.isArray(ids) ? ids : [])
    .filter((id): id is number => Number.isInteger(id))
    .slice(0, MAX_IDS)
  return checkValue(form, { value, segmentIds, quote: typeof quote === 'string' ? quote : null }, check, name)
}

/** Returns whether an answer has the outline of the form, so that it is worth reading. */
export const hasOutline = (form: FormSchema, answer: unknown): boolean =>
  isRecord(answer) && Object.keys(form.properties ?? {}).some((name) => Object.hasOwn(answer, name))
