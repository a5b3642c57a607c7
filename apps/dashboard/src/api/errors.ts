import { readableMessage, SubtextError } from '@subtext/sdk'
import { formatClock, formatZonedTime } from '../format.ts'

/** An error of sign-in, as its response describes it. Its 401 means a wrong password and not that a session has ended. */
export class SignInError extends SubtextError {}

/** Whether the plan of the account does not include something. */
export const isPlanError = (error: unknown): boolean =>
  error instanceof SubtextError && error.code === 'PLAN_UPGRADE_REQUIRED'

/** Whether something does not exist, or not for this account. */
export const isNotFound = (error: unknown): boolean => error instanceof SubtextError && error.status === 404

/** Whether the account may not do this, however often it tries. */
export const isForbidden = (error: unknown): boolean => error instanceof SubtextError && error.status === 403

/** Whether the session has ended. */
export const isSessionEnded = (error: unknown): boolean =>
  error instanceof SubtextError && error.status === 401 && !(error instanceof SignInError)

/** Whether another request may succeed at once: the service was not reached, or has failed. */
export const isTransient = (error: unknown): boolean =>
  error instanceof SubtextError && error.retryable && (error.status === 0 || error.status >= 500)

/** Describes what went wrong, and what to do or when to try again. */
export function describeError(error: Error): string {
  if (isSessionEnded(error)) return 'Your session has ended. Sign in again, then retry.'
  if (!(error instanceof SubtextError)) return error.message
  if (error.code === 'TIMEOUT') return 'The service is taking too long to respond. Try again.'
  if (error.status === 0) return 'The service cannot be reached. Check your network and try again.'
  if (error.code === 'RATE_LIMITED') return describeLimit(error)
  if (isAboutSource(error)) return 'This is a playlist or a channel, not a video.'
  return describeUrl(error) ?? readableMessage(error, formatZonedTime)
}

/** Whether a URL names a playlist or a channel where that of a video was expected. */
export const isAboutSource = (error: unknown): boolean =>
  error instanceof SubtextError && error.code === 'INVALID_VIDEO_URL' && error.message.includes('/sources')

/** Rewords for people what the API says to programs: which URL is not that of a video, and what a right one looks like. */
function describeUrl({ details }: SubtextError): string | null {
  const issues = (details?.issues ?? []) as { path: string; code: string }[]
  const issue = issues.find(({ code }) => code === 'invalid_video_url')
  if (!issue) return null
  const [, index] = /^videos\.(\d+)\./.exec(issue.path) ?? []
  const subject = index === undefined ? 'This' : `URL ${Number(index) + 1} in your list`
  return `${subject} is not a YouTube video URL. Paste one such as \`https://www.youtube.com/watch?v=…\` or \`https://youtu.be/…\`.`
}

const DEFAULT_PAUSE_MS = 60_000

function describeLimit(error: SubtextError): string {
  const pause = error.retryAfterMs ?? DEFAULT_PAUSE_MS
  const minutes = Math.max(1, Math.ceil(pause / 60_000))
  // Uses this computer's clock, which may differ from that of the service.
  const clock = formatClock(new Date(Date.now() + pause))
  const when = `at ${clock}, in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}`
  const limit = error.details?.limit
  if (typeof limit !== 'number') return `${error.message} You can continue ${when}.`
  return `You have used all ${limit} requests that your account can make per hour. You can continue ${when}.`
}
