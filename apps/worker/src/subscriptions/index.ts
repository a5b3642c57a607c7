export { type CheckContext, checkSource } from './check-source.ts'
export type { ItemContext } from './item-context.ts'
export { workOnItem } from './work-on-item.ts'
