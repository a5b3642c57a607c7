import { BUILT_IN_TEMPLATES, type BuiltInName, type FormSchema } from '@subtext/contracts'
import { checkClaim, sharesStem } from '@subtext/evidence'
import { checkLeaf, checkQuotation, type LeafCheck, type WrittenLeaf } from './check-leaf.ts'
import type { CheckLeaf } from './read-answer.ts'
import { type Leaf, type Tree, UNSUPPORTED } from './tree.ts'

/** What a built-in template does besides what its schema says. */
export interface BuiltInRules {
  /** The form that the model fills, if it is not the template's. */
  form?: FormSchema
  checkValue?: CheckLeaf
  /** Completes or corrects the checked answer. */
  finish?(tree: Tree, check: LeafCheck): Tree
}

const isCarried = (tree: Tree | undefined): tree is Leaf => tree?.kind === 'leaf' && tree.state === 'carried'

/** Maps the elements of the only list of a template. */
const mapItems = (
  tree: Tree,
  name: string,
  map: (items: readonly ReadonlyMap<string, Tree>[]) => Map<string, Tree>[],
): Tree => {
  const list = tree.kind === 'object' ? tree.properties.get(name) : undefined
  if (list?.kind !== 'list') return tree
  const items = list.items.flatMap((item) => (item.kind === 'object' ? [item.properties] : []))
  const mapped = map(items).map((properties): Tree => ({ kind: 'object', properties }))
  return { kind: 'object', properties: new Map([[name, { kind: 'list', items: mapped }]]) }
}

const startOf = (title: Tree | undefined): number => (isCarried(title) ? (title.evidence[0]?.startMs ?? 0) : 0)

/** Orders chapters by the lines of their titles, which give their times. The first one starts at 0. */
const finishChapters = (tree: Tree): Tree =>
  mapItems(tree, 'chapters', (items) => {
    const titled = items
      .filter((item) => isCarried(item.get('title')))
      .toSorted((one, other) => startOf(one.get('title')) - startOf(other.get('title')))
    const distinct = titled.filter(
      (item, index) => index === 0 || startOf(item.get('title')) > startOf(titled[index - 1]?.get('title')),
    )
    const lost = items.filter((item) => !isCarried(item.get('title'))).map((item) => new Map(item))
    const timed = distinct.map((item, index) => {
      const title = item.get('title')
      const evidence = isCarried(title) ? title.evidence.slice(0, 1) : []
      const value = index === 0 ? 0 : startOf(title) / 1_000
      return new Map<string, Tree>([...item, ['start', { kind: 'leaf', state: 'carried', value, evidence }]])
    })
    return [...timed, ...lost]
  })

/** A question asserts something as well: together with its answer, the lines have to carry it. */
function checkCard(card: ReadonlyMap<string, Tree>, { claim, resolve }: LeafCheck): Map<string, Tree> {
  const [question, answer] = [card.get('question'), card.get('answer')]
  if (!isCarried(question) || !isCarried(answer)) return new Map(card)
  const segmentIds = answer.evidence.map(({ segmentId }) => segmentId)
  const quotes = answer.evidence.map(({ quote }) => quote)
  const text = `${question.value} ${answer.value}`
  const { point } = checkClaim(resolve({ text, segmentIds, ...(claim.findQuoted && { quotes }) }), claim)
  const { findStems } = claim
  const isShared = !findStems || sharesStem(findStems(String(question.value)), findStems(String(answer.value)))
  const kept: Leaf = point && isShared ? { ...question, evidence: answer.evidence } : UNSUPPORTED
  return new Map<string, Tree>([
    ['question', kept],
    ['answer', answer],
  ])
}

/** A question is checked with its answer, because alone it states nothing. */
const acceptQuestion = (written: WrittenLeaf): Leaf => ({
  kind: 'leaf',
  state: 'carried',
  value: String(written.value).replace(/\s+/g, ' ').trim(),
  evidence: [],
})

const withoutStart = (): FormSchema => {
  const { schema } = BUILT_IN_TEMPLATES.chapters
  const list = schema.properties?.chapters
  const { start: _, ...properties } = list?.items?.properties ?? {}
  return {
    ...schema,
    properties: { chapters: { ...list, type: 'array', items: { type: 'object', properties, required: ['title'] } } },
  }
}

export const BUILT_IN_RULES: Record<BuiltInName, BuiltInRules> = {
  quotes: {
    checkValue: (form, written, check, name) =>
      name === 'quote' ? checkQuotation(written, check) : checkLeaf(form, written, check),
  },
  chapters: { form: withoutStart(), finish: finishChapters },
  action_items: {},
  flashcards: {
    checkValue: (form, written, check, name) =>
      name === 'question' ? acceptQuestion(written) : checkLeaf(form, written, check),
    finish: (tree, check) => mapItems(tree, 'cards', (items) => items.map((item) => checkCard(item, check))),
  },
}
