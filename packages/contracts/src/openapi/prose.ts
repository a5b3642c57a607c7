/** What the document says beside its operations. */
export const DESCRIPTION = `Turns public videos into transcripts and summaries, from the captions they already have.

Submit a video, follow its job, fetch the result: \`POST /videos/process\` answers at once with a \`job_id\`;
\`GET /videos/status/{job_id}?wait=30\` answers when the job has ended; \`GET /videos/result/{job_id}\` has the result.

**Keys.** Send \`Authorization: Bearer sk_...\` (preferred) or \`X-API-Key: sk_...\`. Keys in the query are ignored. Scopes
\`read\` and \`write\` do not imply each other; \`admin\` implies both.

**Envelope.** Every JSON answer is \`{"success":true,"data":...,"meta":...}\` or
\`{"success":false,"error":{"code","message","details?","retryable","docs_url"},"meta":...}\`, also for unknown paths
(404) and methods (405). Decide by \`error.code\`, not by the message. \`meta.warnings\` say what was done otherwise than
asked. Answers may gain fields; requests with unknown fields are refused.

**Limits.** Every answer carries \`X-RateLimit-*\`. Beyond the limit of requests the answer is 429 \`RATE_LIMITED\`, beyond
the quota of videos 429 \`QUOTA_EXCEEDED\`; wait for \`Retry-After\` seconds. Bodies are limited to 64 KB, those of
batches to 4 MB.

**Deprecation.** Older names of fields work until v2.0. A request that uses one is answered with \`Deprecation\` and \`Link\`
headers and a warning.`

export const TAGS: Record<string, string> = {
  videos: 'Submit videos, follow their jobs, read results.',
  batch: 'Submit many videos at once, follow them together, read their results.',
  usage: 'Requests, videos, tokens and cost, and what is left of quotas and limits. Diagnostic, not a bill.',
  webhooks:
    'What is sent to the `webhook_url` of a job when it ends, how to check that it comes from us, and what became of it.',
}
