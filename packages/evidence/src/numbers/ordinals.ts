import { toOrdinal as arabic } from 'n2words/ar-SA'
import { toOrdinal as german } from 'n2words/de-DE'
import { toOrdinal as english } from 'n2words/en-US'
import { toOrdinal as spanish } from 'n2words/es-ES'
import { toOrdinal as french } from 'n2words/fr-FR'
import { toOrdinal as hindi } from 'n2words/hi-IN'
import { toOrdinal as italian } from 'n2words/it-IT'
import { toOrdinal as portuguese } from 'n2words/pt-PT'

const MAX_ORDINAL = 100
const MAX_ARABIC = 10

/** Replaces the ending of the last word by each of the endings. */
const inflect = (reading: string, ending: RegExp, endings: readonly string[]): string[] =>
  ending.test(reading) ? endings.map((form) => reading.replace(ending, form)) : [reading]

const ROMANCE = [/o$/u, ['o', 'a', 'os', 'as']] as const

interface Ordinals {
  spell(value: number): string
  /** Returns all forms of a word. */
  formsOf(reading: string): string[]
  max?: number
}

const ORDINALS: Partial<Record<string, Ordinals>> = {
  en: { spell: english, formsOf: (reading) => [reading] },
  es: {
    spell: spanish,
    formsOf: (reading) => [...inflect(reading, ...ROMANCE), ...(reading === 'tercero' ? ['tercer'] : [])],
  },
  fr: { spell: french, formsOf: (reading) => [reading, `${reading}s`] },
  de: { spell: german, formsOf: (reading) => ['', 'r', 'n', 's', 'm'].map((ending) => reading + ending) },
  pt: { spell: portuguese, formsOf: (reading) => inflect(reading, ...ROMANCE) },
  it: { spell: italian, formsOf: (reading) => inflect(reading, /o$/u, ['o', 'a', 'i', 'e']) },
  hi: {
    spell: hindi,
    formsOf: (reading) => inflect(reading, /ा(ँ?)$/u, ['ा$1', 'ी$1', 'े$1', 'ीं', 'ें']),
  },
  ar: {
    spell: arabic,
    max: MAX_ARABIC,
    formsOf: (reading) => [reading, reading.replace(/^ال/, '')].flatMap((form) => [form, `${form}ة`]),
  },
}

/** `Second` is a unit as well, and a word that begins a sentence; these are ordinals in any case. */
const SECOND = ['the second', 'its second', 'their second', 'second quarter', 'second half']

/**
 * Returns the words for the ordinals of a language with their values, from `third` on: `first` and `second` are mostly other
 * words. Languages that write ordinals with numerals have none.
 */
export function listOrdinals(language: string): [reading: string, value: number][] {
  const { spell, formsOf, max = MAX_ORDINAL } = ORDINALS[language] ?? {}
  const listed: [string, number][] = language === 'en' ? SECOND.map((reading) => [reading, 2]) : []
  for (let value = 3; spell && formsOf && value <= max; value++) {
    for (const form of formsOf(spell(value))) listed.push([form, value])
  }
  return listed
}
