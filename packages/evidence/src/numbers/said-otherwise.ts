import { languageOf } from '@subtext/captions'
import { createAmountFinder } from './find-amounts.ts'
import { findNumberWords } from './number-words.ts'

const before = (words: string): string => `(?<![\\p{L}\\p{M}])(?:${words})`
const begins = (words: string): RegExp => new RegExp(before(words), 'iu')
const whole = (words: string): RegExp => new RegExp(`${before(words)}(?![\\p{L}\\p{M}])`, 'iu')

/** Words that say a number without being one, which another language may write as a number. */
const OTHERWISE: Partial<Record<string, [value: number, words: RegExp][]>> = {
  en: [
    [
      2,
      whole(
        'both|pairs?|couples?|twice|doubl\\p{L}*|duo|dual|second|twins?|twofold|either|neither|parents|again|other|half|halves',
      ),
    ],
    [3, whole('tripl\\p{L}*|trio|thrice|threefold')],
    [4, whole('quadrupl\\p{L}*|quarters?')],
    [10, whole('decades?|tens')],
    [12, whole('dozens?')],
    [14, whole('fortnight')],
    [20, whole('scores?')],
    [100, whole('century|centuries')],
  ],
  es: [
    [2, begins('amb[oa]s|parejas?|par(?:es)?(?!\\p{L})|dobl|dupli|dúo|segund[oa]|gemel|mitad|medi[oa]')],
    [3, begins('tripl|trío')],
    [4, begins('cuádrupl|cuadrupl|cuart[oa]')],
    [10, begins('decena|década')],
    [12, begins('docena')],
    [15, begins('quincena')],
    [100, begins('centenar|siglo')],
  ],
  fr: [
    [2, begins('couple|paire|doubl|duo(?!\\p{L})|deuxième|second|jume(?:au|lle)|moitié|demi')],
    [3, begins('tripl|trio(?!\\p{L})')],
    [4, begins('quadrupl|quart')],
    [10, begins('dizaine|décenni')],
    [12, begins('douzaine')],
    [15, begins('quinzaine')],
    [20, begins('vingtaine')],
    [30, begins('trentaine')],
    [40, begins('quarantaine')],
    [50, begins('cinquantaine')],
    [60, begins('soixantaine')],
    [100, begins('centaine|siècle|centenaire')],
    [1_000, begins('milliers?(?!\\p{L})')],
  ],
  de: [
    [2, begins('beid|paar|doppel|verdoppel|duo|zweit|zwilling|hälft|halb')],
    [3, begins('dreifach|verdreifach|trio')],
    [4, begins('vervierfach|viertel')],
    [10, begins('jahrzehnt')],
    [12, begins('dutzend')],
    [100, begins('jahrhundert')],
  ],
  pt: [
    [2, begins('amb[oa]s|casal|par(?:es)?(?!\\p{L})|dupl|dobr|segund[oa]|gême|metade|mei[oa]')],
    [3, begins('tripl|trio(?!\\p{L})')],
    [4, begins('quadrupl|quart[oa]')],
    [10, begins('dezena|década')],
    [12, begins('dúzia')],
    [15, begins('quinzena')],
    [100, begins('centena|século')],
  ],
  hi: [
    [2, begins('दोनों|दोगुन|दुगुन|जोड़|दूसर|द्वितीय|आध')],
    [3, begins('तीनों|तिगुन|तृतीय')],
    [4, begins('चारों|चौगुन|चौथ')],
    [10, begins('दशक')],
    [12, begins('दर्जन')],
    [100, begins('सदी|शताब्दी')],
  ],
  ar: [
    // Two of anything is an ending.
    [2, /(?<=[\p{L}\p{M}]{2})(?:ان|ين|تان|تين|ا)(?![\p{L}\p{M}])|كلا|كلتا|زوج|ضعف|ثاني|نصف|توأم/u],
    [3, begins('(?:و|ب|ل)?(?:ال)?(?:ثالث|ثلاث)(?:ة|ا|اً)?(?!\\p{L})')],
    [4, begins('(?:و|ب|ل)?(?:ال)?(?:رابع|أربع|ربع)(?:ة|ا|اً)?(?!\\p{L})')],
    [5, begins('(?:و|ب|ل)?(?:ال)?(?:خامس|خمس)(?:ة|ا|اً)?(?!\\p{L})')],
    [6, begins('(?:و|ب|ل)?(?:ال)?(?:سادس|ست)(?:ة|ا|اً)?(?!\\p{L})')],
    [7, begins('(?:و|ب|ل)?(?:ال)?(?:سابع|سبع)(?:ة|ا|اً)?(?!\\p{L})')],
    [8, begins('(?:و|ب|ل)?(?:ال)?(?:ثامن|ثمان)(?:ة|ا|اً)?(?!\\p{L})')],
    [9, begins('(?:و|ب|ل)?(?:ال)?(?:تاسع|تسع)(?:ة|ا|اً)?(?!\\p{L})')],
    [10, begins('(?:و|ب|ل)?(?:ال)?(?:عاشر|عشر|عقد)(?:ة|ا|اً)?(?!\\p{L})')],
    [12, /دزينة|اثن\p{L} عشر|اثنا عشر/u],
    [100, /قرن|قرون/u],
  ],
  ja: [
    [2, /両|双|ふた|二|倍|第2|再び|半/u],
    [3, /三|みっつ/u],
    [10, /十年/u],
    [12, /ダース/u],
  ],
  ko: [
    [2, /양쪽|둘|두|부부|쌍|배|이중|2차|양국|절반|반/u],
    [3, /셋|세\s|삼[국차각]/u],
    [4, /넷|네\s/u],
    [5, /다섯/u],
    [6, /여섯/u],
    [7, /일곱/u],
    [8, /여덟/u],
    [9, /아홉/u],
    [10, /열\s|십/u],
  ],
  zh: [
    [2, /双|雙|两|兩|俩|倆|一对|一對|倍|二|半/u],
    [3, /三/u],
    [4, /四/u],
    [5, /五/u],
    [6, /六/u],
    [7, /七/u],
    [8, /八/u],
    [9, /九/u],
    [10, /十/u],
    [12, /一打/u],
  ],
}

const ROMAN_DIGITS: Record<string, number> = { i: 1, v: 5, x: 10, l: 50, c: 100 }
const ROMAN = /(?<![\p{L}\p{M}])[IVXLC]{1,7}(?=(?:e|º|ª|°)?(?![\p{L}\p{M}]))/gu

/** Returns the value of a Roman numeral. */
function readRoman(numeral: string): number {
  const digits = Array.from(numeral.toLowerCase(), (digit) => ROMAN_DIGITS[digit] ?? 0)
  return digits.reduce((sum, digit, index) => sum + (digit < (digits[index + 1] ?? 0) ? -digit : digit), 0)
}

/** `Zweijährig`, `dreimal`: numbers that begin a German word. */
const GERMAN_COMPOUND =
  /(?<![\p{L}\p{M}])(\p{L}{3,20}?)(?:jährig|jährlich|köpfig|stündig|stöckig|mal(?!\p{L})|fach|tägig|wöchig|monatig|teilig|minütig|seitig|stellig|spurig|er-|eck|händig|tausend)/giu

function listCompounds(text: string): number[] {
  const words = findNumberWords('de')
  return Array.from(text.matchAll(GERMAN_COMPOUND), ([, number = '']) => words?.valueOf(number.toLowerCase()) ?? 0)
}

/** Returns further numbers that lines say, in words that are mostly none. `language`: of the lines, BCP-47. */
export function listOtherwise(lines: string, language: string): number[] {
  const base = languageOf(language)
  const words = (OTHERWISE[base] ?? []).flatMap(([value, pattern]) => (pattern.test(lines) ? [value] : []))
  const romans = Array.from(lines.matchAll(ROMAN), ([numeral]) => readRoman(numeral))
  const decades = createAmountFinder(language)(lines).flatMap(({ values, isWeak }) => (isWeak ? [] : values))
  return [...words, ...romans, ...decades, ...(base === 'de' ? listCompounds(lines) : [])]
}

const ROMAN_CENTURY =
  /(?<=(?<!\p{L})(?:siglos?|séculos?|secol[oi])\s)[ivxl]{1,6}(?![\p{L}\p{M}])|(?<!\p{L})[ivxl]{1,6}(?=(?:e|è|ème|º)\s(?:siècle|s\.))/giu
const WEEKDAY_NUMBERED = /(?<!\p{L})(?:segunda|terça|quarta|quinta|sexta)-feira/giu
const NUMBERED_MONTH = /(?:(?<!\d)(?:0?[1-9]|1[0-2])|十[一二]?|(?<!十)[一二三四五六七八九])\s?[月월](?![間间])/gu
/** Chinese counts the century and the decade in it. */
const CENTURY_AND_DECADE = /(\d{1,2})\s?世[紀纪]\s?(\d0)\s?年代/gu

const ARABIC_TWELVE = /(?:ال)?اثنت?[اىي] عشرة?(?![\p{L}\p{M}])/gu
const ARABIC_TEENS = ['حادي', 'ثاني', 'ثالث', 'رابع', 'خامس', 'سادس', 'سابع', 'ثامن', 'تاسع']
const ARABIC_TEEN = new RegExp(`(?:ال)?(${ARABIC_TEENS.join('|')})ة? عشرة?(?![\\p{L}\\p{M}])`, 'gu')

/** Syllables of Korean words that are numerals, too, unless a further numeral or what they count follows. */
const KOREAN_SYLLABLE =
  /[영일이삼사오육칠팔구](?![곱흔]|\s?(?:[영일이삼사오육칠팔구십백천만억조]|년|월|일|분|초|개|명|원|번|층|살|세기|차|호|회|주|달러|유로|퍼센트|%|킬로|미터|인|등|위|배|점|시간|대|권|장|쪽|도))/gu

/**
 * Returns a text with the numbers of its centuries in digits, and without those of months and days, which are compared as dates.
 * `language`: BCP-47.
 */
export function writePlainly(text: string, language: string): string {
  const base = languageOf(language)
  const plain = text.replace(ROMAN_CENTURY, (numeral) => String(readRoman(numeral)))
  if (base === 'ar') {
    return plain
      .replace(ARABIC_TWELVE, '12')
      .replace(ARABIC_TEEN, (_, teen: string) => String(ARABIC_TEENS.indexOf(teen) + 11))
  }
  if (base === 'pt') return plain.replace(WEEKDAY_NUMBERED, ' ')
  if (base !== 'zh' && base !== 'ja' && base !== 'ko') return plain
  return (base === 'ko' ? plain.replace(KOREAN_SYLLABLE, '·') : plain)
    .replace(CENTURY_AND_DECADE, (_, century: string, decade: string) => `${Number(century) - 1}${decade}年代`)
    .replace(NUMBERED_MONTH, ' ')
}
