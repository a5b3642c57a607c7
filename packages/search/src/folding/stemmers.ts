import { stemmer as arabic } from '@orama/stemmers/arabic'
import { stemmer as danish } from '@orama/stemmers/danish'
import { stemmer as dutch } from '@orama/stemmers/dutch'
import { stemmer as english } from '@orama/stemmers/english'
import { stemmer as finnish } from '@orama/stemmers/finnish'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as greek } from '@orama/stemmers/greek'
import { stemmer as hungarian } from '@orama/stemmers/hungarian'
import { stemmer as hindi } from '@orama/stemmers/indian'
import { stemmer as indonesian } from '@orama/stemmers/indonesian'
import { stemmer as italian } from '@orama/stemmers/italian'
import { stemmer as norwegian } from '@orama/stemmers/norwegian'
import { stemmer as portuguese } from '@orama/stemmers/portuguese'
import { stemmer as romanian } from '@orama/stemmers/romanian'
import { stemmer as russian } from '@orama/stemmers/russian'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { stemmer as swedish } from '@orama/stemmers/swedish'
import { stemmer as turkish } from '@orama/stemmers/turkish'
import { stemmer as ukrainian } from '@orama/stemmers/ukrainian'
import { languageOf } from '@subtext/captions'

/** Returns a lower-case word without its ending. */
export type Stem = (word: string) => string

const STEMMERS: Partial<Record<string, Stem>> = {
  ar: arabic,
  da: danish,
  de: german,
  el: greek,
  en: english,
  es: spanish,
  fi: finnish,
  fr: french,
  hi: hindi,
  hu: hungarian,
  id: indonesian,
  it: italian,
  nb: norwegian,
  nl: dutch,
  pt: portuguese,
  ro: romanian,
  ru: russian,
  sv: swedish,
  tr: turkish,
  uk: ukrainian,
}

const keep: Stem = (word) => word

/** Returns the stemmer of a language; for a language without one, words stay as they are. `tag`: BCP-47. */
export const selectStemmer = (tag: string): Stem => STEMMERS[languageOf(tag)] ?? keep
