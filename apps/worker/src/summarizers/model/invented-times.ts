/** Digits of all scripts, and the colons between them. */
const D = '\\p{Nd}'
const C = '[:：∶]'
const NOT_AMID_DIGITS = `(?<![${D}:：.])`

/** `12:34`, `1:02:03`, `00:01:02,500`, with what says the half of the day. */
const CLOCK = `${NOT_AMID_DIGITS}(?:${D}{1,3}${C}${D}{1,2}${C}${D}{1,2}|${D}{1,3}${C}${D}{2})(?:[.,]${D}{1,3})?(?![${D}:：])(?:\\s?[ap]\\.?m\\b\\.?)?`

const SPACED_UNITS = [
  'h|hrs?|hours?|stunden?|std|horas?|heures?|घंटे|घंटा|час[а-я]*',
  'm|mins?|minutes?|minuten?|minutos?|मिनट|минут[а-я]*',
  's|secs?|seconds?|sekunden?|segundos?|secondes?|सेकंड|секунд[а-я]*',
].join('|')
const UNIT = `(?:(?:${SPACED_UNITS})(?![\\p{L}\\p{M}])|時間|时间|小时|小時|시간|分钟|分鐘|分|분|秒|초)`
const PART = `${D}{1,3}\\s?${UNIT}`
/** `12m30s`, `2 minutes and 30 seconds`, `5分30秒`, `12h34`. One unit alone is how long something takes. */
const PARTS = `${NOT_AMID_DIGITS}(?:${PART}(?:\\s?(?:,|and|und|y|e|et|и|और)?\\s?${PART}){1,2}|${D}{1,2}\\s?h\\s?${D}{2}(?![${D}\\p{L}]))`
/** Places in the video: `minute 7`, `7-minute mark`, `第3分`, `t=754s`. */
const PLACE = [
  `第\\s?${D}{1,4}\\s?(?:分钟|分鐘|分|秒|時間|小时|小時)(?:\\s?${D}{1,2}\\s?秒)?`,
  `(?<![\\p{L}\\p{M}])(?<!(?:each|every|per|one|a|jede|cada|chaque)\\s)(?:minute|minuto|timestamp|time\\s?code|минута|मिनट)\\s+${D}{1,3}(?:\\s?[-–]\\s?${D}{1,3})?(?![${D}\\p{L}])`,
  `${NOT_AMID_DIGITS}${D}{1,3}[-\\s]?(?:minutes?|min|seconds?|sec)[-\\s]mark(?!\\p{L})`,
  `(?<!\\p{L})[?&]?t\\s?=\\s?${D}{1,6}s?(?![${D}\\p{L}])`,
].join('|')
const PRIMES = `${NOT_AMID_DIGITS}${D}{1,3}\\s?[′’']\\s?${D}{1,2}\\s?[″”"]`

const TIME = `(?:${CLOCK}|${PARTS}|${PLACE}|${PRIMES})`
const SPAN = `${TIME}(?:\\s?(?:[-–—~〜]|to|until|bis|hasta|até|jusqu'à|à|до|至|到)\\s?${TIME})?`
/** What would be left hanging. */
const LEAD =
  '(?<![\\p{L}\\p{M}])(?:at|around|about|near|from|since|by|um|ab|bei|gegen|à|vers|dès|alrededor de las?|a las?|hacia las?|sobre las?|às|por volta das?|около|с|в)\\s+'
const OPEN = '[[(（{【⟨〈<‹「]'
const CLOSE = '[\\])）}】⟩〉>›」]'
const TIMES = new RegExp(`(?:${OPEN}\\s*(?:${LEAD})?${SPAN}\\s*${CLOSE}|(?:${LEAD})?${SPAN})`, 'giu')

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

/** Whether these numbers are said one right after the other. */
function isSaid(numbers: string[], said: string): boolean {
  const inRow = numbers.map((number) => `0*${number}`).join('\\D{1,20}')
  const [hour, ...rest] = numbers
  const asHour = rest.length > 0 && rest.every((number) => number === '0') ? `|0*${hour}\\s?${FULL_HOUR}` : ''
  return new RegExp(`(?<!\\d)(?:${inRow}(?!\\d)${asHour})`, 'iu').test(said)
}

/**
 * Without times and line numbers that nobody has said: times are ours to make. A year in brackets, or a time of day that
 * the evidence has, is part of the claim.
 */
export function dropInventedTimes(text: string, evidence: string): string {
  if (!DIGIT.test(text)) return text
  const said = withPlainDigits(evidence)
  const kept = text
    .replace(TIMES, (match) => (isSaid(numbersOf(match), said) ? match : ' '))
    .replace(LINE_NUMBER, (match) =>
      match.startsWith('(') && numbersOf(match).every((number) => isSaid([number], said)) ? match : ' ',
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
      .replace(/\s+(?=[.,;:!?…、。，！？])/gu, '')
      .replace(/[,;:、，](?=[.!?。！？])/gu, '')
      .replace(/^[\s\-–—:：,;.、，]+/u, '')
      .replace(/[\s\-–—:：,;、，]+$/u, '')
      .replace(/\s+/gu, ' ')
      .trim(),
  )
