const DIGIT = /\p{Nd}/u
const FIRST_BEYOND_ASCII = 0x80

/** Returns the ASCII digit for a decimal digit of any script: each script has its ten digits in a row. */
function readDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let value = 0
  while (value < 9 && DIGIT.test(String.fromCodePoint(code - 1 - value))) value++
  return code < FIRST_BEYOND_ASCII ? digit : String(value)
}

/** Returns the text in NFKC, with ASCII digits in place of those of all scripts. */
export const withPlainDigits = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\p{Nd}/gu, readDigit)
    .replaceAll('٫', '.')
    .replaceAll('٬', ',')
