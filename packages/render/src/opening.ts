import type { Labels } from './labels/labels.ts'
import type { RenderableResult } from './renderable-result.ts'
import type { Syntax } from './syntax.ts'

/** What the parts of a document before the transcript are laid out from. */
export interface Opening {
  syntax: Syntax
  labels: Labels
  result: RenderableResult
}
