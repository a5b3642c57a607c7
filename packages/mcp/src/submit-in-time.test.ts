import { Subtext } from '@subtext/sdk'
import { submitInTime } from './submit-in-time.ts'

/** Answers submissions with these refusals, one after the other, and then accepts. */
function answering(...refusals: { status: number; code: string; retryAfter: string }[]) {
  const keys: (string | null)[] = []
  const { videos } = new Subtext({
    apiKey: 'sk_x',
    fetch: async (_, init) => {
      keys.push(new Headers(init?.headers).get('Idempotency-Key'))
      const refusal = refusals.shift()
      if (!refusal) return Response.json({ success: true, data: { job_id: 'job' } }, { status: 202 })
      const { status, code, retryAfter } = refusal
      const error = { code, message: 'Later.', retryable: true }
      return Response.json({ success: false, error }, { status, headers: { 'Retry-After': retryAfter } })
    },
  })
  const submit = (patienceMs?: number) =>
    submitInTime(videos, { url: 'https://youtu.be/x' }, new AbortController().signal, patienceMs)
  return { submit, keys }
}

test('repeats a submission with the same key', async () => {
  const { submit, keys } = answering({ status: 503, code: 'SERVICE_UNAVAILABLE', retryAfter: '0' })
  expect(await submit()).toEqual({ job_id: 'job' })
  expect(keys).toEqual([expect.any(String), keys[0]])
})

test.each([
  ['a pause that is longer than clients wait', 429, 'RATE_LIMITED', '50', undefined],
  ['any pause when the time is over', 503, 'SERVICE_UNAVAILABLE', '1', 1_000],
] as const)('does not wait for %s', async (_, status, code, retryAfter, patienceMs) => {
  const { submit, keys } = answering({ status, code, retryAfter })
  await expect(submit(patienceMs)).rejects.toMatchObject({ code, retryAfterMs: Number(retryAfter) * 1_000 })
  expect(keys).toHaveLength(1)
})
