/** Text of the document besides its operations. */
export const DESCRIPTION = `Turns public videos into transcripts and summaries, using the captions they already have.

Submit a video, follow its job, fetch the result: \`POST /videos/process\` responds at once with a \`job_id\`;
\`GET /videos/status/{job_id}?wait=30\` responds when the job has ended; \`GET /videos/result/{job_id}\` returns the result.

**Keys.** Send \`Authorization: Bearer sk_...\` (preferred) or \`X-API-Key: sk_...\`. Keys in the query string are ignored. The
scopes \`read\` and \`write\` do not imply each other; \`admin\` implies both. The cookie of a person who has signed in to the dashboard
is accepted as well, from pages of the same origin, with the scopes \`read\` and \`write\`.

**Envelope.** Every JSON response is \`{"success":true,"data":...,"meta":...}\` or
\`{"success":false,"error":{"code","message","details?","retryable","docs_url"},"meta":...}\`, including those for unknown
paths (404) and methods (405). Base decisions on \`error.code\`, not on the message. \`meta.warnings\` lists what was done
differently than requested. Responses may gain fields; requests with unknown fields are refused. In a request body, \`null\` means
that an optional field is absent, unless the field says otherwise.

**Limits.** Every response carries \`X-RateLimit-*\`. Above the request limit, requests are refused with 429
\`RATE_LIMITED\`; above the quota of videos, with 429 \`QUOTA_EXCEEDED\`. Wait for \`Retry-After\` seconds. Request bodies are
limited to 64 KB, those of batches and imports to 20 MB.

**Deprecation.** Deprecated names of fields are accepted until v2.0. The response to a request that uses one carries
\`Deprecation\` and \`Link\` headers and a warning.`

/** What the operations of each group are about, in the order of the reference. */
export const TAGS: Record<string, string> = {
  videos: 'Submit videos, follow their jobs, read their results.',
  batch: 'Submit many videos in one request, follow them together, read their results.',
  sources: 'List the videos of playlists and channels, and choose which to process.',
  subscriptions: 'Follow sources: what is to be done with new videos, and what became of each.',
  feeds: 'Addresses for feed readers, with the newest videos that were processed.',
  library: 'Search what is said in all of your videos, to the moment, count how often, and ask questions about it.',
  digests: 'What the videos of a batch say, by themes.',
  templates: 'Forms of your own, which jobs fill from the transcript with evidence for every value.',
  tables: 'What several videos say, side by side.',
  usage: 'Requests, videos, tokens and costs, and what is left of quotas and limits. For information, not a bill.',
  webhooks:
    'Events that are sent to the `webhook_url` of a job when it ends: how to verify them, and what happened to each delivery.',
  account: 'Your account, its API keys and its sessions. For people who have signed in; API keys are not accepted.',
  operations: 'Load, spending and accounts of the service. For its operators, when they have signed in.',
  service: 'What the service offers.',
}
