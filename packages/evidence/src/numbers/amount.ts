/** A number in a text, in digits or in words. */
export interface Amount {
  /** Its possible values: `1.234` is 1234 or 1.234. */
  values: number[]
  /** Whether it may not be a number, such as `one`, or a character that numerals share with other words. */
  isWeak: boolean
  /** Whether it is written in digits, at least in part. */
  isDigits: boolean
  /** Whether it is a larger unit without a number, as in `tens of thousands`. */
  isBare?: boolean
  /** The folded text right before and after it. */
  before: string
  after: string
}

/** Returns the numbers of a text, in its order. */
export type FindAmounts = (text: string) => Amount[]
