import type { ErrorCode } from './errors.ts'

/** What a caller reads on the page of an error code, in Markdown. */
export interface ErrorHelp {
  /** What leads to the error. */
  cause: string
  /** What the caller can do about it. */
  remedy: string
}

/** Why each error occurs and what to do about it. The guide to errors and the target of `docs_url` show these texts. */
export const ERROR_HELP: Record<ErrorCode, ErrorHelp> = {
  VALIDATION_ERROR: {
    cause:
      'A field, a query parameter or a header is missing, misspelled or has a value that is not allowed. Unknown fields are refused too, so that a typing error is never silently ignored.',
    remedy:
      'Correct every entry of `details.issues`: `path` names the field, and `message` says what it must be. `error.message` repeats the first entry.',
  },
  INVALID_JSON: {
    cause:
      'The body is empty, not UTF-8, nested too deeply or not JSON. Common mistakes are single quotes, a comma after the last value, and quotes that a shell has removed.',
    remedy:
      'Go to the line and column that `error.message` names. With curl, put the body in single quotes: `-d \'{"url":"..."}\'`.',
  },
  INVALID_VIDEO_URL: {
    cause:
      'The URL is not that of a single video. It leads to a playlist or a channel, which `POST /sources` lists, a search or another site, or contains credentials; `details.issues` says which.',
    remedy:
      'Send `https://www.youtube.com/watch?v=VIDEO_ID`, `https://youtu.be/VIDEO_ID`, or one of the forms `/shorts/VIDEO_ID`, `/live/VIDEO_ID` and `/embed/VIDEO_ID`. Further parameters and a missing `https://` are accepted.',
  },
  UNAUTHORIZED: {
    cause:
      'The request has no API key, one in the wrong place or of the wrong form, or one that is unknown, disabled, revoked or expired. For security, the last four look the same. Or an operator has suspended the account, which the message says.',
    remedy:
      'Send the key as `Authorization: Bearer sk_...` or as `X-API-Key: sk_...`, not in the query. A key is `sk_` followed by 64 hexadecimal digits. If the form is right, create a new key.',
  },
  PLAN_UPGRADE_REQUIRED: {
    cause: 'The request uses features that your plan does not include. `details.violations` lists all of them at once.',
    remedy: 'Leave out the fields that `details.violations` names, or move to the plan in `details.required_plan`.',
  },
  INSUFFICIENT_SCOPE: {
    cause:
      'The key is valid but does not have the scope in `details.required_scope`. The scopes `read` and `write` do not imply each other; `admin` implies both. Under `/operations`, the person who has signed in is not an operator of the service.',
    remedy: 'Use a key with that scope. Operators get it with the command `set-operator` of `admin`.',
  },
  FORBIDDEN_ORIGIN: {
    cause:
      'The request carries the session cookie of a browser, changes something, and its `Origin` header is missing or names another site. Without this check, any page that you visit could act in your name.',
    remedy:
      'Send the request from a page of this service. Programs use an API key. Operators: `PUBLIC_BASE_URL` must be the address that people type.',
  },
  SESSION_REQUIRED: {
    cause:
      'The request carries an API key, and `/account` and `/operations` are for people only: keys, sessions and the account itself, and the overview for operators. Or a connected application sent it, which can neither use these routes nor replace the webhook secret.',
    remedy:
      'Sign in to the dashboard. If a request carries both a key and a cookie, the key is used: leave it out. An API key can replace the webhook secret.',
  },
  REAUTHENTICATION_REQUIRED: {
    cause:
      'Creating keys, rotating the webhook secret and deleting the account require a sign-in within the last 10 minutes, so that nobody else can do so in a browser that was left open.',
    remedy: 'Send the password to `POST /auth/verify-password` or sign in again, then repeat the request.',
  },
  HTTPS_REQUIRED: {
    cause:
      'The request arrived over plain HTTP. It is refused instead of redirected, so that a key sent unencrypted is noticed.',
    remedy: 'Use `https://` in the base URL, and replace the key if it was sent over a network that you do not trust.',
  },
  NOT_FOUND: {
    cause:
      'The path does not exist, or there is nothing with this ID in your account. Malformed IDs and those of other accounts are reported in the same way.',
    remedy:
      'Compare the path with the reference at `/api/v1/docs`, and use a key of the account that created the resource.',
  },
  METHOD_NOT_ALLOWED: {
    cause: 'The path exists, but not with this method.',
    remedy: 'Use a method from the `Allow` header of the response. `error.message` names it.',
  },
  NOT_ACCEPTABLE: {
    cause: 'The result is not available in any media type that the `Accept` header allows.',
    remedy:
      'Send one of the media types in `details.available`, name the format with `?format=`, or leave out `Accept`.',
  },
  JOB_NOT_COMPLETED: {
    cause: 'The job is still queued or running, as `details.status` says, so there is no result yet.',
    remedy:
      'Wait for the job with `GET /videos/status/{job_id}?wait=30`, follow its events, or submit with a `webhook_url`; then request the result again.',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    cause: 'The first request with this `Idempotency-Key` has not been answered yet.',
    remedy: 'Send the same request again after `Retry-After` seconds. It gets the response of the first one.',
  },
  KEY_LIMIT_REACHED: {
    cause:
      'The account has 20 API keys that are neither revoked nor expired. Disabled keys count, because they can be enabled again.',
    remedy: 'Revoke a key that is not needed, then create the new one.',
  },
  TEMPLATE_LIMIT_REACHED: {
    cause: 'The account has 100 templates. Their versions do not count.',
    remedy: 'Delete a template that is not needed, or make a new version of one with `PUT /templates/{name}`.',
  },
  SUBSCRIPTION_LIMIT_REACHED: {
    cause: 'The account has 50 subscriptions, or 50 feeds. Paused subscriptions count.',
    remedy: 'Delete one that is not needed, then create the new one.',
  },
  SOURCE_IN_USE: {
    cause: 'A subscription of the account follows the source, so it cannot be forgotten.',
    remedy: 'Delete the subscription with `DELETE /subscriptions/{subscription_id}`, then the source.',
  },
  KEY_ALREADY_CREATED: {
    cause:
      'An earlier request with the same `Idempotency-Key` has created an API key. A key is shown once and is not stored.',
    remedy:
      'Use the key if you have it. Otherwise revoke the one that begins with `details.prefix`, and create another one with a new `Idempotency-Key`.',
  },
  CONVERSATION_BUSY: {
    cause: 'The answer to another question is still being written in this conversation.',
    remedy:
      'Send the request again after `Retry-After` seconds, or start another conversation: leave out `conversation_id`.',
  },
  PAYLOAD_TOO_LARGE: {
    cause: 'The request body is larger than `details.limit_bytes`, or the request line and headers exceed 16 KB.',
    remedy: 'Send a smaller body, or divide a batch into several.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    cause:
      'The body is compressed or not declared as JSON. Without this header, curl declares bodies as `application/x-www-form-urlencoded`.',
    remedy:
      "Send `Content-Type: application/json` and no `Content-Encoding`; with curl, add `-H 'Content-Type: application/json'`.",
  },
  TRANSCRIPT_UNAVAILABLE: {
    cause:
      'The video has no captions that can be extracted. `details.reason` says why: `no_captions`, `captions_disabled`, `private`, `not_yet_captioned`, or `unreadable` (too large, or not in a form that can be read).',
    remedy:
      'If the reason is `not_yet_captioned`, try again later. Otherwise, choose another video: Subtext does no speech recognition of its own.',
  },
  VIDEO_UNAVAILABLE: {
    cause: 'The video was deleted, never existed, or belongs to an account that was terminated.',
    remedy: 'Open the URL in a browser and check the ID. If the video plays there, submit it again.',
  },
  AGE_RESTRICTED: {
    cause: 'The platform shows the video only to people who have signed in and confirmed their age.',
    remedy: 'Choose another video. Subtext does not sign in to the platform.',
  },
  LIVE_NOT_ENDED: {
    cause:
      'The video is a live stream or a premiere that is still running or has not started. `details.reason` says which.',
    remedy: 'Submit it again after the stream has ended and its recording has captions.',
  },
  GEO_BLOCKED: {
    cause: 'The owner has blocked the video in every country from which the service reaches the platform.',
    remedy: 'Choose another video. An operator can add a proxy in another country with `PROXY_URLS`.',
  },
  VIDEO_NOT_ACCESSIBLE: {
    cause: 'The video is only for members of its channel or for paying viewers, as `details.reason` says.',
    remedy: 'Choose a video that everyone can watch.',
  },
  SOURCE_UNAVAILABLE: {
    cause:
      'The playlist or the channel does not exist, is private, or was terminated by the platform; `details.reason` says which. A block by the platform is never reported like this.',
    remedy:
      'Open the address in a private window of your browser. If you see its videos there, ask for the source again with `refresh: true`.',
  },
  NOTHING_SELECTED: {
    cause:
      'No video of the source meets all conditions of `source.select` and can be processed. Videos for members, private ones, and streams that have not ended are left out.',
    remedy:
      'Read `GET /sources/{source_id}/videos` to see what the source has, and relax the conditions. With `not_processed`, you have processed everything.',
  },
  CAPTIONS_UNREADABLE: {
    cause:
      'Nothing can be read from imported captions. `details.reason` says why, and `details.line` where: `empty`, `no_times` (text without times), `unknown_format` (not a format of captions, or not the one that was named), `encoding` (characters are damaged or their encoding was not recognized) or `too_long` (more than 100,000 cues).',
    remedy:
      'Correct the file, or convert it to WebVTT or SubRip in UTF-8. If `format` is named, leave it out: it is recognized. Nothing was accepted or counted.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    cause: 'The same `Idempotency-Key` was sent within the last 24 hours with another method, path or body.',
    remedy: 'Create a new key for every new request, and repeat a request only unchanged.',
  },
  JOB_CANCELLED: {
    cause: 'The job was cancelled before it finished, so it has no result.',
    remedy:
      'Submit the video again. The cancelled job does not count toward the quota, unless it has the warning `QUOTA_KEPT`.',
  },
  RATE_LIMITED: {
    cause:
      'More requests arrived in this window than `details.limit` allows for the key, or for the client address if no valid key was sent.',
    remedy:
      'Wait for `Retry-After` seconds, and longer after each further refusal. To send fewer requests, use `?wait=` on the status, event streams or webhooks instead of polling.',
  },
  QUOTA_EXCEEDED: {
    cause:
      'The quota that `details.quota` names is used up, or the batch has more videos than are left. Failed jobs do not count, and neither do cancelled ones without the warning `QUOTA_KEPT`. `derive` is the number of jobs that can be derived from one job, `chat` the number of questions per day, `spend` what the language model may cost in a month or a day.',
    remedy:
      'Wait until `details.reset_at`, send fewer videos, or move to a larger plan. For `derive`, submit the video again: existing summaries are reused. For `spend`, raise the limit in the settings, or ask for what costs nothing, such as the transcript alone.',
  },
  INTERNAL_ERROR: {
    cause: 'Something went wrong in the service. Details are only in its log.',
    remedy: 'Try again later. If the error persists, report it with `meta.request_id` or the ID of the job.',
  },
  UPSTREAM_BLOCKED: {
    cause:
      'The video platform treats the requests of the service as those of a robot, or says of the video what it also says to blocked addresses. Your account is not the cause.',
    remedy:
      'Try again later. Operators find the cause with the canary, and can add proxies with `PROXY_URLS`; see the guide to captions.',
  },
  UPSTREAM_UNAVAILABLE: {
    cause: 'The video platform cannot be reached, or it answers too late or with errors of its own.',
    remedy:
      'Try again later. If every video fails, the service may be cut off from the platform: operators can check with the canary.',
  },
  SUMMARY_UNAVAILABLE: {
    cause: 'The language model that writes the summaries is not available, overloaded or at its spending limit.',
    remedy:
      'Try again later. Operators should check `ANTHROPIC_API_KEY` and the log; `SUMMARIZER=extractive` works without a model.',
  },
  SERVICE_UNAVAILABLE: {
    cause:
      'The database is being restarted, cannot be reached or accepts no writes, so nothing can be accepted safely.',
    remedy: 'Send the same request again after `Retry-After` seconds, with the same `Idempotency-Key`.',
  },
  PROCESSING_TIMEOUT: {
    cause:
      'A job did not finish in the time it had. If `details.job_id` is present, only the waiting has ended, and the job continues.',
    remedy: 'Follow the job in `details.job_id`. Without one, submit the video again.',
  },
}
