import { withPlainDigits } from '../numbers/plain-digits.ts'
import { readSpokenClocks } from '../numbers/spoken-clocks.ts'
import { createSaidCheck, listNumbers } from './said-numbers.ts'

/** Digits of all scripts, and colons with their look-alikes. */
const D = '\\p{Nd}'
const C = '[:：∶﹕︓꞉ː˸⁚]'
const NO_DIGITS_BEFORE = `(?<!${D}|${C}|${D}\\.)`
const NO_DIGITS_AFTER = `(?!${D}|${C}${D})`
const NO_LETTER_AFTER = '(?![\\p{L}\\p{M}])'

/** Marks a time of day: `a.m.`, `Uhr`, `o'clock`. */
const OF_DAY = `\\s?(?:[ap]\\.?\\s?m${NO_LETTER_AFTER}\\.?|uhr${NO_LETTER_AFTER}|o['’]?\\s?clock${NO_LETTER_AFTER}|h${NO_LETTER_AFTER})`
/** `12:34`, `1:02:03`, `00:01:02,500`, `12 : 34`. */
const CLOCK = [
  `${NO_DIGITS_BEFORE}(?:${D}{1,3}(?:${C}${D}{1,2}){2,}|${D}{1,3}${C}${D}{2})(?:[.,]${D}{1,3})?${NO_DIGITS_AFTER}(?:${OF_DAY})?`,
  `${NO_DIGITS_BEFORE}${D}{2}(?:\\s${C}\\s?${D}{2}|${C}\\s${D}{2}(?=\\s?${C}\\s?${D}{2})){1,5}(?!\\s?${C}?${D})(?:${OF_DAY})?`,
].join('|')

const HOURS = `(?:h|hrs?|hours?|stunden?|std|horas?|heures?|घंटे|घंटा|час[а-я]*)${NO_LETTER_AFTER}`
const MINUTES = `(?:m|mins?|minutes?|minuten?|minutos?|मिनट|минут[а-я]*)${NO_LETTER_AFTER}`
const SECONDS = `(?:s|secs?|seconds?|sekunden?|segundos?|secondes?|सेकंड|секунд[а-я]*)${NO_LETTER_AFTER}`
const AND = '\\s?(?:,|and|und|y|e|et|и|और)?\\s?'
const count = (unit: string): string => `${D}{1,3}\\s?${unit}`
/** Units from larger to smaller, because `10 m, 20 m` are lengths. A single unit is a duration. */
const inDescendingUnits = (hours: string, minutes: string, seconds: string, and: string): string =>
  `${NO_DIGITS_BEFORE}(?:${hours}${and}${minutes}(?:${and}${seconds})?|(?:${hours}|${minutes})${and}${seconds})`
/** `2 minutes and 30 seconds`: either a duration or a position in the video. */
const DURATION = inDescendingUnits(count(HOURS), count(MINUTES), count(SECONDS), AND)
/** `12m30s`, `12h34`. */
const SHORT = [
  inDescendingUnits(`${D}{1,3}h`, `${D}{1,3}m(?:in)?${NO_LETTER_AFTER}`, `${D}{1,3}s(?:ec)?${NO_LETTER_AFTER}`, '\\s?'),
  `${NO_DIGITS_BEFORE}${D}{1,2}\\s?h\\s?${D}{2}(?![${D}\\p{L}])`,
].join('|')
/** `5分30秒`, but not `5分30秒間` or `5分30秒かかる`. */
const HAN_HOURS = count('(?:時間|时间|小时|小時|시간)')
const HAN_MINUTES = count('(?:分钟|分鐘|分|분)')
const HAN_SECONDS = count('(?:秒|초)')
const HAN = `${inDescendingUnits(HAN_HOURS, HAN_MINUTES, HAN_SECONDS, '\\s?')}(?![間间]|\\s?(?:かか|掛か|続|걸|동안))`
/** Positions in the video: `minute 7`, `7-minute mark`, `第3分`, `t=754s`. With spaces, `t = 5` is an equation. */
const PLACE = [
  `第\\s?${D}{1,4}\\s?(?:分钟|分鐘|分|秒|時間|小时|小時)(?:\\s?${D}{1,2}\\s?秒)?`,
  `(?<![\\p{L}\\p{M}])(?<!(?:each|every|per|one|a|jede|cada|chaque)\\s)(?:minute|minuto|timestamp|time\\s?code|минута|मिनट)\\s+${D}{1,3}(?:\\s?[-–]\\s?${D}{1,3})?(?![${D}\\p{L}])`,
  `${NO_DIGITS_BEFORE}(?:${D}{1,3}[-\\s]?(?:hours?|minutes?),?\\s(?:and\\s)?)?${D}{1,3}[-\\s]?(?:hours?|minutes?|min|seconds?|sec)[-\\s]mark(?!\\p{L})`,
  `(?<!\\p{L})(?:[?&]t=${D}{1,6}s?|t=(?:${D}{1,6}s|${D}{3,6})|[?&]?t=(?:${D}{1,3}h)?${D}{1,3}m(?:${D}{1,3}s)?)(?![${D}\\p{L}])`,
].join('|')
const PRIMES = `${NO_DIGITS_BEFORE}${D}{1,3}\\s?[′’']\\s?${D}{1,2}\\s?[″”"]`

const SHOWN = `(?:${CLOCK}|${SHORT}|${HAN}|${PLACE}|${PRIMES})`
const TIME = `(?:${SHOWN}|${DURATION})`
const spanOf = (time: string): string =>
  `${time}(?:\\s?(?:[-–—~〜]|to|until|bis|hasta|até|jusqu'à|à|до|至|到)\\s?${time})?`
/** Prepositions of position. Those that also mean `approximately` (`about`, `um`) do not turn a duration into a position. */
const WHERE =
  'at|around|near|from|since|ab|bei|à|vers|dès|alrededor de las?|a las?|hacia las?|sobre las?|às|por volta das?|с'
const AFTER_TAKES = '(?<!(?:takes?|took|taking|lasts?|lasted|needs?|needed|for|is|was|runs?|ran)\\s)'
const asLead = (words: string): string => `(?<![\\p{L}\\p{M}])(?:${words})\\s+`
/** Prepositions that would be left dangling. */
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
/** Separated from the sentence: at its beginning, or after a comma or a dash. */
const DETACHED = /(?:^|[.,;:!?。，、：；()[\]{}<>‹›|–—-])\s*$/u
const TIME_OF_DAY_MARK = new RegExp(`(?:${OF_DAY}|${D}\\s?h\\s?${D}{2})$`, 'iu')
const FEET = /^\p{Nd}['’]\s?(?:\p{Nd}|1[01])["”]$/u

const LINE_NUMBER = /[[【(]\s*(?:(?:segments?|lines?)\s*)?#?\p{Nd}+(?:\s*[-–,;]\s*\p{Nd}+)*\s*[\]】)]/giu

const DIGIT = /\p{Nd}/u

const numbersOf = (text: string): string[] => listNumbers(withPlainDigits(text))

/** `7:30 a.m.`, or a range of such times. */
const isTimeOfDay = (match: string, numbers: string[]): boolean =>
  TIME_OF_DAY_MARK.test(match) &&
  (numbers.length === 2 || numbers.length === 4) &&
  numbers.every((number, index) => Number(number) < (index % 2 === 0 ? 25 : 60))

/** Units of durations rather than positions. */
const HAN_UNIT = /^\p{Nd}.*(?:時間|时间|小时|小時|시간|分钟|分鐘)/u
const HAN_POSITION_BEFORE = /[在于於从從到自至]\s?$/u
const HAN_POSITION_AFTER = /^\s?(?:[にで时時处處에쯤頃:：、,，–—-]|から|ごろ|まで|부터)/u
const isHanDuration = (match: string, before: string, after: string): boolean =>
  HAN_UNIT.test(match) && !DETACHED.test(before) && !HAN_POSITION_BEFORE.test(before) && !HAN_POSITION_AFTER.test(after)

/** Returns whether the match is part of the sentence, so that removing it would break the sentence. */
const isContent = (match: string, numbers: string[], before: string, after: string): boolean =>
  !IN_BRACKETS.test(match) &&
  (FEET.test(match) || (isTimeOfDay(match, numbers) && !DETACHED.test(before)) || isHanDuration(match, before, after))

/**
 * Removes times and line numbers that nobody said, because only the service itself states positions in the video. A year in
 * brackets or a time in the evidence is part of the claim, and so are durations, heights and times of day that are marked as
 * such.
 */
export function dropInventedTimes(text: string, evidence: string): string {
  if (!DIGIT.test(text)) return text
  const plain = withPlainDigits(evidence)
  const isTimeSaid = createSaidCheck(`${plain}\n${readSpokenClocks(plain)}`)
  const isNumberSaid = createSaidCheck(plain)
  const kept = text
    .replace(TIMES, (match, at: number, whole: string) => {
      const numbers = numbersOf(match)
      const end = at + match.length
      const isKept = isContent(match, numbers, whole.slice(Math.max(0, at - 3), at), whole.slice(end, end + 3))
      return isKept || isTimeSaid(numbers) ? match : ' '
    })
    .replace(LINE_NUMBER, (match) =>
      match.startsWith('(') && numbersOf(match).every((number) => isNumberSaid([number])) ? match : ' ',
    )
  return kept === text ? text : tidy(text, kept)
}

const capitalizeLike = (before: string, text: string): string =>
  /^\P{L}*\p{Lu}/u.test(before) ? text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()) : text

/** Removes the leftovers of removed times: empty brackets, dangling punctuation and spaces. */
const tidy = (before: string, text: string): string =>
  capitalizeLike(
    before,
    text
      .replace(/[[(（{【⟨〈‹「]\s*[\])）}】⟩〉›」]/gu, ' ')
      // The patterns below would start over at every space of a long run.
      .replace(/\s+/gu, ' ')
      .replace(/\s(?=[.,;:!?、。，！？])/gu, '')
      .replace(/[,;:、，](?=[.!?。！？])/gu, '')
      .replace(/^[\s\-–—:：,;.、，]+/u, '')
      .replace(/(?<![\s\-–—:：,;、，])[\s\-–—:：,;、，]+$/u, '')
      .trim(),
  )
