import type { TableLanguage } from './speech.ts'

/** Patterns that show how a term is used, because there is no dictionary. */
export interface TermContext {
  /** Words that nouns follow: articles, determiners, prepositions. */
  nounsFollow: ReadonlySet<string>
  /** Words that follow nouns: particles, postpositions. */
  followNouns: ReadonlySet<string>
  /** Words before a term that only describes another, as the sea does in "the bottom of the sea". */
  genitives: ReadonlySet<string>
  /** Whether nouns begin with a capital letter. */
  isCapitalized?: boolean
  /** Matches the text after a term that the sentence defines: "sounding | is a ...". */
  defined: RegExp | null
  /** Matches the text before a term that the sentence introduces: "... this is called | drift". */
  named: RegExp | null
  /** Matches the text after a term that the sentence is about, in languages that mark it. */
  topic: RegExp | null
}

const listed = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/u).filter((word) => word !== ''))
const NONE: ReadonlySet<string> = new Set()

/** Allows for two words between the term and the verb, but not for a comma. */
const defines = (verbs: string): RegExp =>
  new RegExp(`^(?:\\s[^\\s,;:]{1,20}){0,2}\\s(?:${verbs})(?![\\p{L}\\p{M}])`, 'iu')

const names = (verbs: string, articles: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{M}])(?:${verbs})\\s(?:(?:${articles})\\s|l['’])?["“„«»]?$`, 'iu')

const CHINESE: TermContext = {
  nounsFollow: listed('的 个 個 种 種 条 條 把 被 叫 叫做 叫作 是 就是 根'),
  followNouns: listed('是 就是 的 叫 叫做 叫作 也 都 和 与 與 会 會 在 从 從'),
  genitives: listed('的'),
  defined: /^(?:是指|指的是|是一|就是|，也就是|的意思|的定义|的定義)/u,
  named: /(?:叫做|叫作|就是|也就是|称为|稱為|所谓|所謂|叫)(?:一[个個种種])?[“「]?$/u,
  topic: null,
}

export const TERM_CONTEXTS: Record<TableLanguage, TermContext> = {
  en: {
    nounsFollow:
      listed(`a an the this that these those each every no some any her his its their our your my many several few of in
      into from with without by for between against about`),
    followNouns: NONE,
    genitives: listed("of 's"),
    defined: defines(
      '(?:is|are|was|were) (?:an?|the|when|what|how|where|called|known)|means?|refers? to|stands for|consists? of',
    ),
    named: names('called|known as|named|term for|word for', 'an?|the'),
    topic: null,
  },
  es: {
    nounsFollow:
      listed(`el la los las un una unos unas del al este esta estos estas ese esa esos esas aquel cada su sus mi mis nuestro
      nuestra de en con sin por entre contra`),
    followNouns: NONE,
    genitives: listed('de del'),
    defined: defines('(?:es|son|era|eran) (?:una?|un[oa]s|el|la|l[oa]s|cuando)|significan?|consisten? en|quiere decir'),
    named: names('se llaman?|llamad[oa]s?|llamamos|conocid[oa]s? como|es decir', 'un|una|el|la|los|las'),
    topic: null,
  },
  fr: {
    nounsFollow:
      listed(`le la les un une des du au aux ce cet cette ces son sa ses leur leurs notre nos votre vos mon ma mes chaque de
      en sans avec par`),
    followNouns: NONE,
    genitives: listed('de du des'),
    defined: defines('(?:est|sont|était) (?:une?|des|les?|la|quand)|signifient?|désignent?|consiste à|veut dire'),
    named: names("s['’]appellent?|appelée?s?|on appelle|nommée?s?|c['’]est|ce sont", 'le|la|les|un|une|des'),
    topic: null,
  },
  de: {
    nounsFollow:
      listed(`der die das den dem des ein eine einen einem einer eines kein keine keinen ihr ihre ihren sein seine unser
      unsere dieser diese dieses jeder jede jedes`),
    followNouns: NONE,
    genitives: listed('des'),
    isCapitalized: true,
    defined: defines(
      '(?:ist|sind|war) (?:eine?|der|die|das|wenn)|bedeute[tn]|bezeichne[tn]|besteh(?:t|en) aus|heißt|heißen',
    ),
    named: names('heißt|heißen|nennt man|nennen|namens|das ist', 'der|die|das|den|eine?'),
    topic: null,
  },
  pt: {
    nounsFollow:
      listed(`o a os as um uma uns umas do da dos das no na nos nas ao à aos às pelo pela este esta estes estas esse essa
      esses essas cada seu sua seus suas meu minha nosso nossa de em com sem por entre`),
    followNouns: NONE,
    genitives: listed('de do da dos das'),
    defined: defines('(?:é|são|era|eram) (?:uma?|uns|umas|[oa]s?|quando)|significam?|consistem? em|quer dizer'),
    named: names('se chamam?|chama-se|chamad[oa]s?|chamamos|conhecid[oa]s? como|ou seja', 'uma?|[oa]s?'),
    topic: null,
  },
  ja: {
    nounsFollow: NONE,
    followNouns: listed('は が を に の と も へ や から まで には では とは という'),
    genitives: NONE,
    defined: /^(?:とは|は、|という|の意味|は[^、。]{1,12}です)/u,
    named: null,
    topic: /^(?:は|とは|って)/u,
  },
  // Its particles are written together with the noun.
  ko: {
    nounsFollow: NONE,
    followNouns: NONE,
    genitives: NONE,
    defined: /^(?:이?란\s|이?라는\s|이?라고\s|의 뜻)/u,
    named: null,
    topic: /^(?:은|는)\s/u,
  },
  zh: CHINESE,
  'zh-Hant': CHINESE,
  hi: {
    nounsFollow: NONE,
    followNouns: listed('का की के को में से पर ने तक भी ही'),
    genitives: NONE,
    defined: /^ (?:का (?:मतलब|अर्थ)|को .{1,24} (?:कहते|कहा)|कहते हैं|कहलात[ाी]|वह .{1,24} है)/u,
    named: /(?:यानी|अर्थात)\s$/u,
    topic: null,
  },
}
