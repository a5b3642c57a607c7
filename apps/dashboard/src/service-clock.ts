/** Smaller differences do not matter, and may only be the duration of the response. */
const MIN_DIFFERENCE_MS = 60_000

/** The header counts whole seconds. Taking the end of the second keeps what has just happened out of the future. */
const SECOND_MS = 1_000

let aheadMs = 0

/** Takes the time of the service from the `Date` header of a response that has just arrived and was not stored. */
export function setServiceTime(date: string | null): void {
  const difference = Date.parse(date ?? '') + SECOND_MS - Date.now()
  if (Number.isFinite(difference)) aheadMs = Math.abs(difference) < MIN_DIFFERENCE_MS ? 0 : difference
}

/**
 * Returns the time by the clock of the service, to which all times on the pages refer. The clock of this computer may be wrong.
 */
export const serviceNow = (): number => Date.now() + aheadMs
