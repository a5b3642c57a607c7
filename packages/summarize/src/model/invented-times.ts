/** Digits of all scripts, and the colons between them with what looks like one. */
const D = '\\p{Nd}'
const C = '[:：∶﹕︓꞉ː˸⁚]'
const NOT_AMID_DIGITS = `(?<!${D}|${C}|${D}\\.)`
const NO_DIGITS_AFTER = `(?!${D}|${C}${D})`
const NO_LETTER_AFTER = '(?![\\p{L}\\p{M}])'

/** What says the half of the day, or that it is one. */
const OF_DAY = `\\s?(?:[ap]\\.?\\s?m${NO_LETTER_AFTER}\\.?|uhr${NO_LETTER_AFTER}|o['’]?\\s?clock${NO_LETTER_AFTER}|h${NO_LETTER_AFTER})`
/** `12:34`, `1:02:03`, `00:01:02,500`, `12 : 34`. */
const CLOCK = [
  `${NOT_AMID_DIGITS}(?:${D}{1,3}(?:${C}${D}{1,2}){2,}|${D}{1,3}${C}${D}{2})(?:[.,]${D}{1,3})?${NO_DIGITS_AFTER}(?:${OF_DAY})?`,
  `${NOT_AMID_DIGITS}${D}{2}(?:\\s${C}\\s?${D}{2}|${C}\\s${D}{2}(?=\\s?${C}\\s?${D}{2})){1,5}(?!\\s?${C}?${D})(?:${OF_DAY})?`,
].join('|')

const HOURS = `(?:h|hrs?|hours?|stunden?|std|horas?|heures?|घंटे|घंटा|час[а-я]*)${NO_LETTER_AFTER}`
const MINUTES = `(?:m|mins?|minutes?|minuten?|minutos?|मिनट|минут[а-я]*)${NO_LETTER_AFTER}`
const SECONDS = `(?:s|secs?|seconds?|sekunden?|segundos?|secondes?|सेकंड|секунд[а-я]*)${NO_LETTER_AFTER}`
const AND = '\\s?(?:,|and|und|y|e|et|и|और)?\\s?'
const count = (unit: string): string => `${D}{1,3}\\s?${unit}`
/** From the larger unit to the smaller: `10 m, 20 m` are lengths. One unit alone is how long something takes. */
const descend = (hours: string, minutes: string, seconds: string, and: string): string =>
  `${NOT_AMID_DIGITS}(?:${hours}${and}${minutes}(?:${and}${seconds})?|(?:${hours}|${minutes})${and}${seconds})`
/** `2 minutes and 30 seconds`: how long something takes as well as a place. */
const DURATION = descend(count(HOURS), count(MINUTES), count(SECONDS), AND)
/** `12m30s`, `12h34`. */
const SHORT = [
  descend(`${D}{1,3}h`, `${D}{1,3}m(?:in)?${NO_LETTER_AFTER}`, `${D}{1,3}s(?:ec)?${NO_LETTER_AFTER}`, '\\s?'),
  `${NOT_AMID_DIGITS}${D}{1,2}\\s?h\\s?${D}{2}(?![${D}\\p{L}])`,
].join('|')
/** `5分30秒`, and not `5分30秒間` or `5分30秒かかる`. */
const HAN_HOURS = count('(?:時間|时间|小时|小時|시간)')
const HAN_MINUTES = count('(?:分钟|分鐘|分|분)')
const HAN_SECONDS = count('(?:秒|초)')
const HAN = `${descend(HAN_HOURS, HAN_MINUTES, HAN_SECONDS, '\\s?')}(?![間间]|\\s?(?:かか|掛か|続|걸|동안))`
/** Places in the video: `minute 7`, `7-minute mark`, `第3分`, `t=754s`. With blanks, `t = 5` is an equation. */
const PLACE = [
  `第\\s?${D}{1,4}\\s?(?:分钟|分鐘|分|秒|時間|小时|小時)(?:\\s?${D}{1,2}\\s?秒)?`,
  `(?<![\\p{L}\\p{M}])(?<!(?:each|every|per|one|a|jede|cada|chaque)\\s)(?:minute|minuto|timestamp|time\\s?code|минута|मिनट)\\s+${D}{1,3}(?:\\s?[-–]\\s?${D}{1,3})?(?![${D}\\p{L}])`,
  `${NOT_AMID_DIGITS}(?:${D}{1,3}[-\\s]?(?:hours?|minutes?),?\\s(?:and\\s)?)?${D}{1,3}[-\\s]?(?:hours?|minutes?|min|seconds?|sec)[-\\s]mark(?!\\p{L})`,
  `(?<!\\p{L})(?:[?&]t=${D}{1,6}s?|t=(?:${D}{1,6}s|${D}{3,6})|[?&]?t=(?:${D}{1,3}h)?${D}{1,3}m(?:${D}{1,3}s)?)(?![${D}\\p{L}])`,
].join('|')
const PRIMES = `${NOT_AMID_DIGITS}${D}{1,3}\\s?[′’']\\s?${D}{1,2}\\s?[″”"]`

const SHOWN = `(?:${CLOCK}|${SHORT}|${HAN}|${PLACE}|${PRIMES})`
const TIME = `(?:${SHOWN}|${DURATION})`
const spanOf = (time: string): string =>
  `${time}(?:\\s?(?:[-–—~〜]|to|until|bis|hasta|até|jusqu'à|à|до|至|到)\\s?${time})?`
/** Say where something is; what says how much, too (`about`, `um`), leaves a duration alone. */
const WHERE =
  'at|around|near|from|since|ab|bei|à|vers|dès|alrededor de las?|a las?|hacia las?|sobre las?|às|por volta das?|с'
const AFTER_TAKES = '(?<!(?:takes?|took|taking|lasts?|lasted|needs?|needed|for|is|was|runs?|ran)\\s)'
const asLead = (words: string): string => `(?<![\\p{L}\\p{M}])(?:${words})\\s+`
/** What would be left hanging. */
const LEAD = asLead(`${WHERE}|about|by|um|gegen|около|в`)
const OPEN = '[[(（{【⟨〈<‹「]'
const CLOSE = '[\\])）}】⟩〉>›」]'
const TIMES = new RegExp(
  [
    `${OPEN}\\s*(?:${LEAD})?${spanOf(TIME)}\\s*${CLOSE}`,
    `${AFTER_TAKES}${asLead(WHERE)}${spanOf(TIME)}`,
    `(?:${LEAD})?${spanOf(SHOWN)}`,
  ].join('|'),
  'giu',
)
const IN_BRACKETS = new RegExp(`^${OPEN}`, 'u')
/** Set apart from the sentence: at its beginning, or behind a comma or a dash. */
const APART = /(?:^|[.,;:!?。，、：；()[\]{}<>‹›|–—-])\s*$/u
const SAYS_OF_DAY = new RegExp(`(?:${OF_DAY}|${D}\\s?h\\s?${D}{2})$`, 'iu')
const FEET = /^\p{Nd}['’]\s?(?:\p{Nd}|1[01])["”]$/u

const LINE_NUMBER = /[[【(]\s*(?:(?:segments?|lines?)\s*)?#?\p{Nd}+(?:\s*[-–,;]\s*\p{Nd}+)*\s*[\]】)]/giu

const DIGIT = /\p{Nd}/u
const FIRST_BEYOND_ASCII = 0x80

/** Of a decimal digit of any script: each has its ten in a row. */
function readDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let value = 0
  while (value < 9 && DIGIT.test(String.fromCodePoint(code - 1 - value))) value++
  return code < FIRST_BEYOND_ASCII ? digit : String(value)
}

const withPlainDigits = (text: string): string => text.normalize('NFKC').replace(/\p{Nd}/gu, readDigit)

const numbersOf = (text: string): string[] =>
  (withPlainDigits(text).match(/\d+/g) ?? []).map((digits) => digits.replace(/^0+(?=\d)/, ''))

/** Full hours are said without their minutes. */
const FULL_HOUR = '(?:o.?clock|uhr|h(?![a-z])|heures?|horas?|[ap]\\.?m|時|时|点|點|시|बजे|час)'

const UNITS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']
const TEENS = [
  'ten',
  'eleven',
  'twelve',
  ...['thir', 'four', 'fif', 'six', 'seven', 'eigh', 'nine'].map((stem) => `${stem}teen`),
]
const TENS = ['twenty', 'thirty', 'forty', 'fifty']
const NUMBER_WORDS = new Map([
  ...[...UNITS, ...TEENS].map((word, index): [string, number] => [word, index + 1]),
  ...TENS.flatMap((ten, index) =>
    ['', ...UNITS].map((unit, rest): [string, number] => [`${ten}${unit}`, (index + 2) * 10 + rest]),
  ),
])
const HOUR_WORD = `\\b(${[...UNITS, ...TEENS.slice(0, 3), ...TENS].join('|')})`
const MINUTE_WORD = `((?:oh?[\\s-](?:${UNITS.join('|')}))|${TEENS.join('|')}|(?:${TENS.join('|')})(?:[\\s-](?:${UNITS.join('|')}))?)\\b`
const CLOCK_IN_WORDS = new RegExp(`${HOUR_WORD}[\\s-]${MINUTE_WORD}`, 'gi')

const readNumber = (words: string): number =>
  NUMBER_WORDS.get(
    words
      .toLowerCase()
      .replace(/^oh?[\s-]/, '')
      .replace(/[\s-]/, ''),
  ) ?? 0

/** `seven thirty`, as English speakers say most times of the day. */
const clocksInWords = (said: string): string =>
  Array.from(
    said.matchAll(CLOCK_IN_WORDS),
    ([, hour = '', minute = '']) => `${readNumber(hour)}:${readNumber(minute)}`,
  ).join(' ')

/** No time has more. */
const MAX_NUMBERS = 8

/** Whether these numbers are said one right after the other. */
function isSaid(numbers: string[], said: string): boolean {
  if (numbers.length > MAX_NUMBERS) return false
  const inRow = numbers.map((number) => `0*${number}`).join('\\D{1,20}')
  const [hour, ...rest] = numbers
  const asHour = rest.length > 0 && rest.every((number) => number === '0') ? `|0*${hour}\\s?${FULL_HOUR}` : ''
  return new RegExp(`(?<!\\d)(?:${inRow}(?!\\d)${asHour})`, 'iu').test(said)
}

/** `7:30 a.m.`, also from one to another. */
const isTimeOfDay = (match: string, numbers: string[]): boolean =>
  SAYS_OF_DAY.test(match) &&
  (numbers.length === 2 || numbers.length === 4) &&
  numbers.every((number, index) => Number(number) < (index % 2 === 0 ? 25 : 60))

/** Units that count how long something takes rather than where it is. */
const HAN_LASTING = /^\p{Nd}.*(?:時間|时间|小时|小時|시간|分钟|分鐘)/u
const HAN_WHERE_BEFORE = /[在于於从從到自至]\s?$/u
const HAN_WHERE_AFTER = /^\s?(?:[にで时時处處에쯤頃:：、,，–—-]|から|ごろ|まで|부터)/u
const isHanDuration = (match: string, before: string, after: string): boolean =>
  HAN_LASTING.test(match) && !APART.test(before) && !HAN_WHERE_BEFORE.test(before) && !HAN_WHERE_AFTER.test(after)

/** Is part of the sentence, which would be broken without it. */
const isContent = (match: string, numbers: string[], before: string, after: string): boolean =>
  !IN_BRACKETS.test(match) &&
  (FEET.test(match) || (isTimeOfDay(match, numbers) && !APART.test(before)) || isHanDuration(match, before, after))

/**
 * Without times and line numbers that nobody has said: places in the video are ours to tell. A year in brackets, or a time
 * that the evidence has, is part of the claim; so is what a sentence says of how long something takes, how tall it is, or
 * of a time of the day that is marked as one.
 */
export function dropInventedTimes(text: string, evidence: string): string {
  if (!DIGIT.test(text)) return text
  const plain = withPlainDigits(evidence)
  const said = `${plain}\n${clocksInWords(plain)}`
  const kept = text
    .replace(TIMES, (match, at: number, whole: string) => {
      const numbers = numbersOf(match)
      const end = at + match.length
      const isKept = isContent(match, numbers, whole.slice(Math.max(0, at - 3), at), whole.slice(end, end + 3))
      return isKept || isSaid(numbers, said) ? match : ' '
    })
    .replace(LINE_NUMBER, (match) =>
      match.startsWith('(') && numbersOf(match).every((number) => isSaid([number], plain)) ? match : ' ',
    )
  return kept === text ? text : tidy(text, kept)
}

const capitaliseLike = (before: string, text: string): string =>
  /^\P{L}*\p{Lu}/u.test(before) ? text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()) : text

const tidy = (before: string, text: string): string =>
  capitaliseLike(
    before,
    text
      .replace(/[[(（{【⟨〈‹「]\s*[\])）}】⟩〉›」]/gu, ' ')
      .replace(/\s+(?=[.,;:!?、。，！？])/gu, '')
      .replace(/[,;:、，](?=[.!?。！？])/gu, '')
      .replace(/^[\s\-–—:：,;.、，]+/u, '')
      .replace(/[\s\-–—:：,;、，]+$/u, '')
      .replace(/\s+/gu, ' ')
      .trim(),
  )
