import { type NextStep, type Refusal, selectAgreed, selectConfirmed, selectFinal, selectOutcome } from './refusal.ts'

const refusal = (code: Refusal['code'], next: NextStep): Refusal => ({ code, next, cause: `${code} ${next}` })
const uncaptioned = refusal('TRANSCRIPT_UNAVAILABLE', 'confirm')
const gone = refusal('VIDEO_UNAVAILABLE', 'confirm')
const unplayable = refusal('VIDEO_UNAVAILABLE', 'next-client')
const broken = refusal('UPSTREAM_UNAVAILABLE', 'retry')
const blocked = refusal('UPSTREAM_BLOCKED', 'next-egress')
const soon: Refusal = { ...uncaptioned, retryable: true }
const elsewhere = refusal('GEO_BLOCKED', 'next-egress')

test.each<[string, Refusal[], Refusal | undefined]>([
  ['one reply', [gone], undefined],
  ['two that agree', [gone, gone], gone],
  ['two that agree, of which one may change', [uncaptioned, soon, uncaptioned], soon],
  [
    'two of one app',
    [
      { ...gone, app: 'ANDROID' },
      { ...gone, app: 'ANDROID' },
    ],
    undefined,
  ],
  ['three that agree around an error', [uncaptioned, broken, uncaptioned, uncaptioned], uncaptioned],
  ['two without captions', [uncaptioned, uncaptioned], undefined],
  ['one firm and one weak', [unplayable, gone], gone],
  ['only weak ones', [unplayable, unplayable], undefined],
  ['a video that plays somewhere', [uncaptioned, gone, gone], undefined],
  ['two that differ', [uncaptioned, gone], undefined],
])('selectConfirmed decides about %s', (_, refusals, expected) => {
  expect(selectConfirmed(refusals, 3)).toBe(expected)
})

test.each<[string, Refusal[], Refusal['code']]>([
  ['an unconfirmed reply and an error', [uncaptioned, broken], 'UPSTREAM_UNAVAILABLE'],
  ['an unconfirmed reply and a block', [gone, broken, blocked], 'UPSTREAM_BLOCKED'],
  ['a refusal of every client', [unplayable, unplayable, unplayable], 'VIDEO_UNAVAILABLE'],
  [
    'one client that plays the video and others that do not',
    [uncaptioned, unplayable, unplayable],
    'UPSTREAM_UNAVAILABLE',
  ],
  ['two apps without captions of three', [uncaptioned, uncaptioned, unplayable], 'UPSTREAM_UNAVAILABLE'],
  ['one app that expects captions soon, and others that do not play', [soon, unplayable], 'TRANSCRIPT_UNAVAILABLE'],
  ['no attempts', [], 'UPSTREAM_UNAVAILABLE'],
])('selectOutcome returns the outcome of one egress: %s', (_, refusals, code) => {
  expect(selectOutcome(refusals, 3).code).toBe(code)
})

test.each<[string, Refusal[], Refusal['code']]>([
  ['one blocked, one decided', [blocked, uncaptioned], 'TRANSCRIPT_UNAVAILABLE'],
  ['one in a wrong country, one blocked', [elsewhere, blocked], 'GEO_BLOCKED'],
  ['one blocked, one broken', [blocked, broken], 'UPSTREAM_BLOCKED'],
  ['all broken', [broken, broken], 'UPSTREAM_UNAVAILABLE'],
])('selectFinal returns the outcome of all egresses: %s', (_, outcomes, code) => {
  expect(selectFinal(outcomes.map((one, nth) => ({ egress: `proxy_${nth}`, refusal: one }))).code).toBe(code)
})

test('selectConfirmed needs no more apps than can be asked', () => {
  expect(selectConfirmed([uncaptioned], 1)).toBe(uncaptioned)
  expect(selectConfirmed([uncaptioned], 2)).toBeUndefined()
  expect(selectConfirmed([uncaptioned, uncaptioned], 2)).toBe(uncaptioned)
})

const unclear: Refusal = { ...refusal('UPSTREAM_BLOCKED', 'confirm-block'), mayConcernVideo: true }

test.each<[string, Refusal[], boolean]>([
  ['two apps in the same words', [unclear, unclear], true],
  ['two apps in the same words, and one that is refused as an app', [unclear, unplayable, unclear], true],
  ['one app', [unclear, unplayable], false],
  ['two apps in different words', [unclear, { ...unclear, cause: 'other' }], false],
  ['two apps, of which one meets the bot check', [unclear, refusal('UPSTREAM_BLOCKED', 'confirm-block')], false],
])('selectOutcome tells whether a refusal may concern the video when it is given to %s', (_, refusals, expected) => {
  expect(selectOutcome(refusals, 3)).toMatchObject({ code: 'UPSTREAM_BLOCKED', mayConcernVideo: expected })
})

test.each<[string, [string, Refusal][], string | undefined]>([
  [
    'two egresses',
    [
      ['direct', unclear],
      ['proxy_1', unclear],
    ],
    'VIDEO_UNAVAILABLE',
  ],
  [
    'two egresses and one that is blocked',
    [
      ['direct', unclear],
      ['proxy_1', blocked],
      ['proxy_2', unclear],
    ],
    'VIDEO_UNAVAILABLE',
  ],
  [
    'one egress twice',
    [
      ['direct', unclear],
      ['direct', unclear],
    ],
    undefined,
  ],
  [
    'two egresses in different words',
    [
      ['direct', unclear],
      ['proxy_1', { ...unclear, cause: 'other' }],
    ],
    undefined,
  ],
  [
    'one egress beside a blocked one',
    [
      ['direct', blocked],
      ['proxy_1', unclear],
    ],
    undefined,
  ],
])('selectAgreed returns what is said about the video through %s', (_, outcomes, code) => {
  expect(selectAgreed(outcomes.map(([egress, one]) => ({ egress, refusal: one })))?.code).toBe(code)
})
