import type { FindStems } from './find-stems.ts'

/** A word, with the endings that an apostrophe joins to it. */
export const WORD = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*/gu

const SENTENCE = /[^.!?।؟。！？]+[.!?।؟。！？]*/gu

/** Returns how many stems two texts have in common. */
export const countShared = (one: ReadonlySet<string>, other: ReadonlySet<string>): number =>
  [...one].filter((stem) => other.has(stem)).length

/** Returns the sentences of the lines, each with the number of stems that it shares with a statement. */
export const rateSentences = (
  stated: ReadonlySet<string>,
  lines: string,
  findStems: FindStems,
): { sentence: string; shared: number }[] =>
  (lines.match(SENTENCE) ?? []).map((sentence) => ({ sentence, shared: countShared(stated, findStems(sentence)) }))
