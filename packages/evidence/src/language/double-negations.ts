import { languageOf } from '@subtext/captions'
import { foldForNegations } from './find-negations.ts'

/** Verbs of which a negation says that something goes on: `did not stop`, `never refused`. Patterns for texts in lower case. */
interface CeasingVerbs {
  /** A negation together with such a verb. */
  doubled: RegExp
  /** Words that may say that something ends or is refused. */
  ceasing: RegExp
  /** Whether the verb alone counts as a negation in the language, so that both together are none. */
  isNegation: boolean
}

const LETTER = String.raw`[\p{L}\p{M}\p{N}]`
const spaced = (list: string): RegExp => new RegExp(`(?<!${LETTER})(?:${list})(?!${LETTER})`, 'gu')
/** Stems, with any ending. */
const begins = (list: string): RegExp => new RegExp(`(?<!${LETTER})(?:${list})`, 'gu')
const anywhere = (list: string): RegExp => new RegExp(list, 'gu')

/** `Did not stop until 2015`: then it did. */
const NO_END = String.raw`(?![^.!?;]{0,80}(?<!\p{L})(?:until|till|bis|hasta|até|jusqu))`
const ING = String.raw`(?= \p{L}+ing(?!\p{L}))`
const INFINITIVE = String.raw`(?= \p{L}+[aeiáéíô]r(?!\p{L}))`

const EN_CEASING = String.raw`(?:stop(?:s|ped|ping)?|ceas(?:e|es|ed|ing)|quit(?:s|ting)?|avoid(?:s|ed|ing)?|g[ai]ven? up|refrain(?:s|ed|ing)? from)${ING}|(?:fail|refus|declin|ceas|neglect|forg[eo]t|hesitat)\p{L}* to|unable to`
const EN_NEGATION = String.raw`not|never|cannot|nobody|no one|\p{L}+n't|(?:fail|refus|declin|neglect|forg[eo]t)\p{L}* to|unable to`
const EN_BETWEEN = 'ever|once|yet|really|even|entirely|completely|fully|be|been|have|had|able to'

const VERBS: Partial<Record<string, CeasingVerbs>> = {
  en: {
    doubled: spaced(`(?:${EN_NEGATION}) (?:(?:${EN_BETWEEN}) ){0,3}(?:${EN_CEASING})${NO_END}`),
    ceasing: begins('stop|ceas|quit|abandon|halt|end(?:s|ed)(?!\\p{L})|avoid|g[ai]ven? up|fail|refus|declin|no longer'),
    isNegation: true,
  },
  de: {
    doubled: spaced(
      String.raw`hör(?:t|te|ten|en) (?:[^\s.,;:!?]+ ){0,4}(?:nicht|nie|niemals) (?:\p{L}+ )?auf${NO_END}|(?:nicht|nie|niemals) (?:damit )?auf(?:zu)?(?:hör\p{L}*|gehört)${NO_END}|weiger\p{L}* sich (?:\p{L}+ ){0,2}(?:nicht|nie)|(?:nicht|nie) (?:verweiger\p{L}*|geweigert|versäumt?)`,
    ),
    ceasing: begins(
      String.raw`auf(?:zu)?(?:ge)?hör|hör\p{L}+ (?:[^,.;!?]{0,60} )?auf(?!\p{L})|(?:ver|ge)?weiger|versäum|einge?stell|stopp|gestopp|beend|verzicht|abgelehnt|lehn`,
    ),
    isNegation: false,
  },
  es: {
    doubled: spaced(
      String.raw`(?:no|nunca|jamás|nadie) (?:(?:se|ha|han|había|habían|pudo|puede) ){0,2}(?:(?:dej|par|ces)\p{L}+ de|(?:neg|rehus)\p{L}+ a)${INFINITIVE}${NO_END}`,
    ),
    ceasing: begins(
      'dej|par(?:ó|aron|ar|ado)(?!\\p{L})|ces[aóe]|neg[aóu]|nieg|rehus|rechaz|abandon|suspend|interrump|det[eu]|renunci|ya no',
    ),
    isNegation: false,
  },
  fr: {
    doubled: spaced(
      String.raw`n(?:e |')(?:s')?(?:(?:a|ont|avait|avaient|est|sont) )?(?:(?:pas|jamais) )?(?:cess|arrêt|refus)\p{L}*(?: (?:pas|jamais))?(?= d[e'])${NO_END}`,
    ),
    ceasing: begins('cess|arrêt|refus|abandonn|suspend|interromp|renonc|rejet'),
    isNegation: false,
  },
  pt: {
    doubled: spaced(
      String.raw`(?:não|nunca|jamais|ninguém) (?:(?:se|tem|têm|tinha|tinham|pode|pôde) ){0,2}(?:(?:deix|par|cess)\p{L}+ de|(?:recus|neg)\p{L}+(?:-se)? a)${INFINITIVE}${NO_END}`,
    ),
    ceasing: begins(
      'deix|par(?:ou|aram|ar|ado)(?!\\p{L})|cess|recus|neg[aou]|rejeit|abandon|suspend|interromp|desist|já não',
    ),
    isNegation: false,
  },
  hi: {
    doubled: spaced(String.raw`(?:बंद|इनकार|इंकार|मना) नहीं (?:कि|की|कर)[\p{L}\p{M}]*`),
    ceasing: begins('बंद|बन्द|इनकार|इंकार|मना|रोक|छोड़'),
    isNegation: false,
  },
  ar: {
    doubled: spaced(String.raw`[وف]?(?:لم|لا|لن) [يت](?:توقف|كف|رفض)\p{L}*`),
    ceasing: begins('[وف]?[يت]?(?:توقف|كف|رفض|أوقف|وقف|امتنع|تخل)'),
    isNegation: false,
  },
  ja: {
    doubled: anywhere('(?:やめ|止め|断り|拒み|拒否し|中止し|停止し)(?:ません(?:でした)?|な(?:い|かった))'),
    ceasing: anywhere('やめ|止め|断[りっ]|拒|中止|停止|廃止|なくな'),
    isNegation: false,
  },
  ko: {
    doubled: anywhere(String.raw`(?:멈추|그만두|중단하|거부하|중지하|거절하)지\s?(?:는|도)?\s?않[가-힣]*`),
    ceasing: anywhere('멈[추춘췄춰]|그만[두둔뒀]|중단|거부|중지|거절|끝'),
    isNegation: false,
  },
  zh: {
    doubled: anywhere('(?:没有|沒有|没|沒|不|未|从未|從未|从不|從不)(?:停止|拒绝|拒絕|放弃|放棄|中断|中斷)'),
    ceasing: anywhere('停|拒|放弃|放棄|中断|中斷|不再|结束|結束'),
    isNegation: false,
  },
}

const mayCease = (text: string, verbs: CeasingVerbs | undefined): boolean =>
  verbs !== undefined && foldForNegations(text).replaceAll(verbs.doubled, ' ').search(verbs.ceasing) >= 0

const blank = (text: string, pattern: RegExp): string => text.replaceAll(pattern, (found) => ' '.repeat(found.length))

/** Returns a text as it is to be searched for negations, given the other one that it is compared with. */
export type SettleDoubles = (text: string, other: string) => string

/**
 * Creates a function that takes out of a text what `did not stop` and its like say, so that the rest is no longer negated. They
 * stay if the other text speaks of an end itself: then the negation is about that, and the words of the other text for an end
 * are taken out, which are no negation that answers it. The languages of both are BCP-47.
 */
export function createDoubleSettler(language: string, otherLanguage = language): SettleDoubles {
  const [own, theirs] = [VERBS[languageOf(language)], VERBS[languageOf(otherLanguage)]]
  if (!own) return (text) => text
  const isAlwaysNone = own.isNegation && own === theirs
  return (text, other) => {
    const folded = foldForNegations(text)
    const isDoubled = folded.search(own.doubled) >= 0
    if (isDoubled && !isAlwaysNone && mayCease(other, theirs)) return text
    const isAnswering = !isAlwaysNone && theirs !== undefined && foldForNegations(other).search(theirs.doubled) >= 0
    if (!isDoubled && !isAnswering) return text
    const single = blank(folded, own.doubled)
    return isAnswering ? blank(single, own.ceasing) : single
  }
}
