import { foldName } from '../checks/names.ts'

const WORD = /[\p{L}\p{M}]+/gu
/** Names that are written otherwise in another language mostly begin alike: `London` and `Londres`, `American` and `américain`. */
const MIN_ALIKE = 3
/** A name within another word: `America` in `Sudamérica`. */
const MIN_PART = 5
/** Letters to a difference between the consonants of names: `Sajalín` and `Sakhalin`, `Tutmosis` and `Thutmose`. */
const LETTERS_TO_DIFFERENCE = 4
const MIN_CONSONANTS = 3

/** Letters that languages exchange for one sound. */
const SOUNDS: [letters: RegExp, sound: string][] = [
  [/ph/g, 'f'],
  [/ck|kh|ch|qu|[kq]/g, 'c'],
  [/h/g, ''],
  [/[zxç]|c(?=[eiy])/g, 's'],
  [/[wv]/g, 'b'],
  [/j/g, 'g'],
  [/y/g, 'i'],
  [/(.)\1+/g, '$1'],
]
const VOWEL = /(?<=.)[aeiou]/g
const DOUBLE = /(.)\1+/g

/** What is left of a word in all languages: its first letter and the consonants after it. */
const consonantsOf = (spelled: string): string => spelled.replace(VOWEL, '').replace(DOUBLE, '$1')
/** Returns a word as it would be spelled in a language that has one letter for each sound. */
const spell = (word: string): string => SOUNDS.reduce((sound, [letters, other]) => sound.replace(letters, other), word)

/** Returns whether two texts differ by at most `max` letters that are added, left out or exchanged. */
function differsByAtMost(max: number, one: string, other: string): boolean {
  if (one === other) return true
  if (max === 0 || Math.abs(one.length - other.length) > max) return false
  let start = 0
  while (start < one.length && one[start] === other[start]) start++
  const [rest, otherRest] = [one.slice(start), other.slice(start)]
  return (
    differsByAtMost(max - 1, rest.slice(1), otherRest.slice(1)) ||
    differsByAtMost(max - 1, rest.slice(1), otherRest) ||
    differsByAtMost(max - 1, rest, otherRest.slice(1))
  )
}

const soundsAlike = (one: string, other: string): boolean => {
  const length = Math.min(one.length, other.length)
  return (
    one[0] === other[0] &&
    length >= MIN_CONSONANTS &&
    differsByAtMost(Math.min(2, Math.floor(length / LETTERS_TO_DIFFERENCE)), one, other)
  )
}

const isPart = (part: string, word: string): boolean => part.length >= MIN_PART && word.includes(part)

/** Creates the check whether a text of another language has a word that may be the same name. */
export function createAlikeCheck(text: string): (name: string) => boolean {
  const words = [...new Set((text.match(WORD) ?? []).map((word) => spell(foldName(word))))]
  const beginnings = new Set(words.map((word) => word.slice(0, MIN_ALIKE)))
  const sounds = words.map(consonantsOf)
  return (name) =>
    (name.match(WORD) ?? [])
      .map((part) => spell(foldName(part)))
      .some(
        (part) =>
          beginnings.has(part.slice(0, MIN_ALIKE)) ||
          words.some((word) => isPart(word, part) || isPart(part, word)) ||
          sounds.some((sound) => soundsAlike(sound, consonantsOf(part))),
      )
}
