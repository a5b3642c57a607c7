import { languageOf } from '@subtext/captions'

/** The words of a language with which a statement becomes its opposite, as patterns for texts in lower case. */
export interface NegationWords {
  /** What negates the words beside it. */
  strong: RegExp
  /** What a negation may be said with instead. It answers a negation of the other text, and asks for none. */
  weak: RegExp | null
  /** What it may be in another language that negates. It answers a negation of a claim in that language. */
  otherwise?: RegExp
  /** What is a negation in other languages, too, where that is less. */
  certain?: RegExp
  /** What looks like a negation and is none: `not only`, 少ない, 不断. */
  exceptions: RegExp | null
}

/** A word or several, of a script with spaces. */
const words = (list: string): string => `(?<![\\p{L}\\p{M}\\p{N}])(?:${list})(?![\\p{L}\\p{M}\\p{N}])`
const spaced = (list: string): RegExp => new RegExp(words(list), 'gu')
/** Stems, with any ending. */
const begins = (list: string): RegExp => new RegExp(`(?<![\\p{L}\\p{M}\\p{N}])(?:${list})`, 'gu')
const anywhere = (list: string): RegExp => new RegExp(list, 'gu')

const CHINESE: NegationWords = {
  certain: anywhere(
    '不(?:是|会|會|能|可以|想|愿|願|同意|知道|再|应|應|需|必|相信|喜[欢歡]|允[许許]|接受|存在|[属屬]於?)|[没沒][有能]?|未(?:能|曾|必|有)|从未|從未|从不|從不|[并並][非不]|[无無]法',
  ),
  strong: anywhere('不|没|沒|无|無|未|并非|並非|绝非|絕非'),
  weak: anywhere('缺|少|拒|禁|难|難|失'),
  exceptions: anywhere(
    '不[仅僅只但光断斷少久同妨]|不[过過]|不得不|无论|無論|无数|無數|无线|無線|未来|未來|不管|不论|不論|不知不觉|没关系|沒關係|' +
      '(?<x>是|能|会|會|要|有|可|对|對|好)[不没沒]\\k<x>',
  ),
}

const ENGLISH = "not|no|never|nobody|nothing|none|nowhere|neither|nor|cannot|\\p{L}+n't"

const WORDS: Partial<Record<string, NegationWords>> = {
  en: {
    certain: spaced(ENGLISH),
    // What somebody refused or stopped to do was not done.
    strong: spaced(
      `${ENGLISH}|(?:fail(?:s|ed|ing)?|refus(?:e|es|ed|ing)|declin(?:e|es|ed|ing)) to|unable to|stop(?:s|ped|ping)?(?= \\p{L}+ing(?!\\p{L}))|(?:hardly|scarcely|barely) any\\p{L}*|hardly|scarcely`,
    ),
    weak: begins(
      'without|hardly|barely|scarcely|rarely|seldom|few|little|lack|fail|refus|reject|unable|unlike|impossib|invisib|incapab|prevent|forb[ai]d|prohibit|banned|exclu|den[iy]|instead|rather than|except|avoid|absen|missing',
    ),
    otherwise: begins(
      'un-?(?!der|it|ion|iver|iqu|til)\\p{L}{4,}|(?:in|im|il|ir)\\p{L}{3,}b(?:le|ly|ility)|\\p{L}{3,}less|less|yet to|otherwise|unless|until|warn|difficult|leaves? much',
    ),
    exceptions: spaced(
      'not only|not just|not merely|not until|no doubt|no longer than|no less|no sooner|nothing but|why not|no matter',
    ),
  },
  es: {
    strong: spaced('no|nunca|jamás|ni|ningún|ningun[oa]s?|nadie|nada|tampoco'),
    weak: begins(
      'sin(?!\\p{L})|apenas|poc[oa]|raramente|falta|negó|niega|rechaz|prohib|imposib|invisib|impid|evit|en (?:lugar|vez) de|salvo|sólo|solo',
    ),
    otherwise: begins('(?:des|in|im|ir)\\p{L}{3,}bles?|desconoc|dific|difíc|caren|carec|dejan? mucho|hasta|todavía'),
    exceptions: spaced('no s[oó]lo|no solamente|no únicamente|no obstante|nada más|no hay duda|sin duda|cuando no'),
  },
  fr: {
    strong: spaced("pas|jamais|rien|aucune?|ni|nulle? part|guère|n[e'’] ?\\p{L}+ plus"),
    weak: begins(
      'sans|cess|peu(?!\\p{L})|rare|manqu|refus|rejet|interdi|impossib|invisib|empêch|évit|au lieu|plutôt que|sauf|seulement',
    ),
    otherwise: begins('(?:dés|in|im|ir)\\p{L}{3,}bles?|diffici|jusqu|retard|inconnu|non(?!\\p{L})'),
    exceptions: spaced('pas seulement|pas uniquement|rien de moins|pourquoi pas|pas à pas'),
  },
  de: {
    strong: spaced('nicht|kein|keine[nmrs]?|nie|niemals|niemand(?:en|em)?|nichts|weder|nirgend(?:s|wo)'),
    weak: begins(
      'ohne|kaum|selten|wenig|fehl|weiger|ablehn|verb[oi]t|verbat|un(?:möglich|sichtbar|bekannt)|verhinder|vermeid|statt|anstatt|außer|mangel',
    ),
    otherwise: begins(
      'un(?!ter|d|s|iver)\\p{L}{5,}|\\p{L}{3,}los(?!\\p{L})|schwer|schwierig|bis(?!\\p{L})|nichtsdesto',
    ),
    exceptions: spaced('nicht nur|nicht bloß|nicht allein|nichts als|nicht zuletzt|nicht wahr'),
  },
  pt: {
    strong: spaced('não|nunca|jamais|nem|nenhum(?:a|as)?|nenhuns|ninguém|nada|tampouco'),
    weak: begins(
      'sem(?!\\p{L})|pouc[oa]|rar[oa]|falt|recus|rejeit|proib|imposs|invis|imped|evit|em vez|ao invés|exceto|apenas',
    ),
    otherwise: begins('(?:des|in|im|ir)\\p{L}{3,}ve(?:l|is)|desconh|difíc|dific|carec|caren|até|ainda'),
    exceptions: spaced('não só|não somente|não apenas|nada mais|não é\\?|sem dúvida|nem sempre que'),
  },
  hi: {
    strong: spaced('नहीं|न|मत|नही'),
    weak: begins('बिना|बग़ैर|बगैर|कम|कठिन|असंभव|रोक|मना|इनकार|सिवा|अपरिभाषित'),
    exceptions: spaced('या नहीं|कि नहीं|नहीं तो|न केवल|न सिर्फ़|न सिर्फ|क्यों न|न जाने|कहीं न कहीं|कोई न कोई|कुछ न कुछ'),
  },
  ar: {
    strong: spaced('[وف]?(?:لا|لم|لن|ليس|ليست|ليسوا|لست|لسنا)'),
    weak: begins('[وف]?(?:غير|دون|بدون|بلا|قليل|نادر|منع|رفض|عدم|يستحيل|مستحيل|سوى|إلا|فقط|قط)'),
    exceptions: spaced('لا سيما|ليس فقط|لا شك|لا بد|ليس فحسب|لا [يت]?زال|لا ريب|لم يزل|ما لا'),
  },
  ja: {
    strong: anywhere('ません|ない|なかっ|なく|なけれ|ずに|ず(?=[、。]|$)|ぬ(?=[、。]|$)'),
    weak: anywhere('無|不|非|未|にく|難|少な|禁|失|拒|だけ'),
    exceptions: anywhere(
      '少な[いくかけ]|危な[いくかけ]|なければな|なくてはな|なければいけ|なくてはいけ|ないといけ|だけで(?:は)?なく|ばかりでなく|のみならず|かもしれ(?:ない|ません)|に違いない|に違いありません|ではない(?:か|でしょうか)|ではありませんか|まもなく|間もなく|仕方[がの]?ない|やむを得ない|とんでもない|つまらない|もったいない',
    ),
  },
  ko: {
    strong: new RegExp(
      `${words('안|못')}|지\\s?(?:는|도|를|가)?\\s?(?:않|못|마[세십])|못\\s?[하했한할해]|없[는었다이습고어을으]|없$|아니[다라었고며에]|아닙`,
      'gu',
    ),
    weak: anywhere(
      '적[은었다]|드물|거의|어렵|힘들|불가|거부|금지|실패|대신|부족|멈[추춘]|말고|불\\p{sc=Hangul}|무\\p{sc=Hangul}|비\\p{sc=Hangul}|만',
    ),
    exceptions: anywhere(
      '뿐(?:만)?\\s?(?:이\\s)?아니|수밖에\\s?없|틀림\\s?없|끊임\\s?없|수\\s?없이|상관\\s?없|아니라고는|않으면 안|지 않나요|지 않을까',
    ),
  },
  zh: CHINESE,
}

/** Returns the words for negation of a language (BCP-47); null for one whose words are not known. */
export const negationWordsOf = (language: string): NegationWords | null => WORDS[languageOf(language)] ?? null
