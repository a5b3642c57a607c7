import { type ExtractionEvidence, type FormSchema, isNullable } from '@subtext/contracts'
import { hasLeaf, type Tree } from './tree.ts'

/** Elements that a list keeps. */
const MAX_ELEMENTS = 500

export interface Fitted {
  data: unknown
  evidence: Record<string, ExtractionEvidence[]>
  unsupported: string[]
}

/** A part of the result, with pointers relative to it. Null: the schema does not allow what is left of it. */
type Part = { value: unknown; evidence: Map<string, ExtractionEvidence[]>; unsupported: Set<string> } | null

const escapeToken = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

const emptyPart = (value: unknown, isUnsupported: boolean): Part => ({
  value,
  evidence: new Map(),
  unsupported: new Set(isUnsupported ? [''] : []),
})

/**
 * Makes the data of a form from a checked answer. What is not carried is null. Where the form allows no null, the smallest part
 * around it that may be left out is. Returns null if none may be.
 */
export function fitForm(form: FormSchema, tree: Tree): Fitted | null {
  const part = fit(form, tree)
  if (!part) return null
  return {
    data: part.value,
    evidence: Object.fromEntries(part.evidence),
    unsupported: [...part.unsupported],
  }
}

function fit(form: FormSchema, tree: Tree): Part {
  // An object of which nothing is said says nothing.
  const isEmpty = tree.kind === 'object' && !hasLeaf(tree, 'carried') && isNullable(form)
  const part = isEmpty ? null : fitAsIs(form, tree)
  if (part || !isNullable(form)) return part
  return emptyPart(null, hasLeaf(tree, 'unsupported'))
}

function fitAsIs(form: FormSchema, tree: Tree): Part {
  switch (tree.kind) {
    case 'leaf': {
      if (tree.state !== 'carried') return null
      return { value: tree.value, evidence: new Map([['', tree.evidence]]), unsupported: new Set() }
    }
    case 'list':
      return fitList(form, tree.items)
    case 'object':
      return fitObject(form, tree.properties)
  }
}

function add(to: NonNullable<Part>, token: string, part: NonNullable<Part>): void {
  for (const [pointer, lines] of part.evidence) to.evidence.set(`/${token}${pointer}`, lines)
  for (const pointer of part.unsupported) to.unsupported.add(`/${token}${pointer}`)
}

/** Elements of which nothing is carried go, and so do those that lack what the form requires. */
function fitList(form: FormSchema, items: readonly Tree[]): Part {
  const values: unknown[] = []
  const fitted: NonNullable<Part> = { value: values, evidence: new Map(), unsupported: new Set() }
  for (const item of items) {
    if (values.length === MAX_ELEMENTS) break
    const part = hasLeaf(item, 'carried') && form.items ? fitAsIs(form.items, item) : null
    if (!part) {
      if (hasLeaf(item, 'carried') || hasLeaf(item, 'unsupported')) fitted.unsupported.add('')
      continue
    }
    add(fitted, String(values.length), part)
    values.push(part.value)
  }
  return fitted
}

function fitObject({ properties = {}, required = [] }: FormSchema, trees: ReadonlyMap<string, Tree>): Part {
  const values: [string, unknown][] = []
  const fitted: NonNullable<Part> = { value: null, evidence: new Map(), unsupported: new Set() }
  for (const [name, form] of Object.entries(properties)) {
    const tree = trees.get(name)
    const part = tree ? fit(form, tree) : null
    const token = escapeToken(name)
    if (part) {
      add(fitted, token, part)
      values.push([name, part.value])
    } else if (required.includes(name)) return null
    else if (tree && hasLeaf(tree, 'unsupported')) fitted.unsupported.add(`/${token}`)
  }
  fitted.value = Object.fromEntries(values)
  return fitted
}
