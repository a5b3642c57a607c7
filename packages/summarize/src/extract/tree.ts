import type { ExtractionEvidence } from '@subtext/contracts'

/** A value of an answer after its check. `unsaid`: the model said that the transcript does not say it. */
export interface Leaf {
  kind: 'leaf'
  state: 'carried' | 'unsaid' | 'unsupported'
  value: string | number | boolean | null
  evidence: ExtractionEvidence[]
}

export type Tree =
  | Leaf
  | { kind: 'object'; properties: ReadonlyMap<string, Tree> }
  | { kind: 'list'; items: readonly Tree[] }

export const UNSAID: Leaf = { kind: 'leaf', state: 'unsaid', value: null, evidence: [] }
export const UNSUPPORTED: Leaf = { kind: 'leaf', state: 'unsupported', value: null, evidence: [] }

/** Returns whether anything in a tree has the state. */
export function hasLeaf(tree: Tree, state: Leaf['state']): boolean {
  if (tree.kind === 'leaf') return tree.state === state
  const inner = tree.kind === 'list' ? tree.items : [...tree.properties.values()]
  return inner.some((each) => hasLeaf(each, state))
}

/** Merges the answers about two parts of a transcript: lists are joined, of a single value the first carried one counts. */
export function mergeTrees(one: Tree, other: Tree): Tree {
  if (one.kind === 'list' && other.kind === 'list') return { kind: 'list', items: [...one.items, ...other.items] }
  if (one.kind === 'object' && other.kind === 'object') {
    const merged = [...one.properties].map(([name, tree]): [string, Tree] => {
      const later = other.properties.get(name)
      return [name, later ? mergeTrees(tree, later) : tree]
    })
    return { kind: 'object', properties: new Map(merged) }
  }
  if (one.kind !== 'leaf' || other.kind !== 'leaf' || one.state === 'carried') return one
  return other.state === 'carried' || one.state === 'unsaid' ? other : one
}
