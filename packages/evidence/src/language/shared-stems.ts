import type { FindStems } from './find-stems.ts'

/** A full stop before anything but a space is part of a number or a name. */
const SENTENCE = /(?:[^.!?।؟。！？]|[.!?](?=[^\s.!?]))+[.!?।؟。！？]*/gu

/** Returns whether two texts have a stem in common. */
export const sharesStem = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  [...one].some((stem) => other.has(stem))

/** Returns how many stems two texts have in common. */
export const countShared = (one: ReadonlySet<string>, other: ReadonlySet<string>): number =>
  [...one].filter((stem) => other.has(stem)).length

/** Returns the sentences of a text, as far as punctuation tells. */
export const splitPlainly = (text: string): string[] => text.match(SENTENCE) ?? []

/** Returns the sentences of the lines, each with the number of stems that it shares with a statement. */
export const rateSentences = (
  stated: ReadonlySet<string>,
  lines: string,
  findStems: FindStems,
): { sentence: string; shared: number }[] =>
  splitPlainly(lines).map((sentence) => ({ sentence, shared: countShared(stated, findStems(sentence)) }))
