import { type NextStep, type Refusal, selectConfirmed, selectFinal, selectOutcome } from './refusal.ts'

const refusal = (code: Refusal['code'], next: NextStep): Refusal => ({ code, next, why: `${code} ${next}` })
const silent = refusal('TRANSCRIPT_UNAVAILABLE', 'confirm')
const gone = refusal('VIDEO_UNAVAILABLE', 'confirm')
const unplayable = refusal('VIDEO_UNAVAILABLE', 'next-client')
const broken = refusal('UPSTREAM_UNAVAILABLE', 'retry')
const blocked = refusal('UPSTREAM_BLOCKED', 'next-egress')
const elsewhere = refusal('GEO_BLOCKED', 'next-egress')

test.each<[string, Refusal[], Refusal | undefined]>([
  ['one answer', [gone], undefined],
  ['two that agree', [gone, gone], gone],
  ['two that agree around an error', [silent, broken, silent], silent],
  ['a firm and a weak one', [unplayable, gone], gone],
  ['weak ones alone', [unplayable, unplayable], undefined],
  ['a video that plays somewhere', [silent, gone, gone], undefined],
  ['two that differ', [silent, gone], undefined],
])('confirmed by %s', (_, refusals, expected) => {
  expect(selectConfirmed(refusals)).toBe(expected)
})

test.each<[string, Refusal[], Refusal['code']]>([
  ['an unconfirmed answer and an error', [silent, broken], 'UPSTREAM_UNAVAILABLE'],
  ['an unconfirmed answer and a block', [gone, broken, blocked], 'UPSTREAM_BLOCKED'],
  ['every client refused', [unplayable, unplayable, unplayable], 'VIDEO_UNAVAILABLE'],
  ['one client plays, the others do not', [silent, unplayable, unplayable], 'TRANSCRIPT_UNAVAILABLE'],
  ['nothing tried', [], 'UPSTREAM_UNAVAILABLE'],
])('outcome of %s', (_, refusals, code) => {
  expect(selectOutcome(refusals).code).toBe(code)
})

test.each<[string, Refusal[], Refusal['code']]>([
  ['blocked here, decided there', [blocked, silent], 'TRANSCRIPT_UNAVAILABLE'],
  ['not in this country, blocked there', [elsewhere, blocked], 'GEO_BLOCKED'],
  ['blocked, then broken', [blocked, broken], 'UPSTREAM_BLOCKED'],
  ['broken throughout', [broken, broken], 'UPSTREAM_UNAVAILABLE'],
])('final: %s', (_, outcomes, code) => {
  expect(selectFinal(outcomes).code).toBe(code)
})
