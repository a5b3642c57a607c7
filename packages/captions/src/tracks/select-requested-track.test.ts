import type { CaptionTrack, VideoOptions } from '@subtext/contracts'
import { newVideoInfo } from '@subtext/contracts/testing'
import { selectRequestedTrack } from './select-requested-track.ts'

const track = (key: string, more: Partial<CaptionTrack> = {}): CaptionTrack => ({
  key,
  language: key.slice(key.indexOf('.') + 1),
  kind: key.startsWith('.') ? 'manual' : 'auto',
  name: '`hostile` [name](https://evil.example)',
  isDefault: false,
  ...more,
})
const select = (tracks: CaptionTrack[], language: string | null, options: Partial<VideoOptions> = {}) =>
  selectRequestedTrack(options, { info: { ...newVideoInfo('x'), language }, tracks })

const TRACKS = [track('.en', { isDefault: true }), track('.de'), track('a.ja'), track('.ja', { role: 'forced' })]

test.each<[string, string | null, Partial<VideoOptions>, string, string[]]>([
  ['in the spoken language', 'en', {}, '.en', []],
  ['in a variant of the spoken language', 'en-AU', {}, '.en', []],
  ['where the spoken language is unknown', null, {}, '.en', []],
  ['not in the spoken language', 'ja', {}, '.en', ['NOT_IN_SPOKEN_LANGUAGE']],
  ['in the spoken language, as preferred', 'ja', { track_preference: 'spoken_language' }, 'a.ja', []],
  ['that was requested', 'ja', { language: 'de' }, '.de', []],
  ['instead of a requested one', 'ja', { language: 'fr' }, '.en', ['LANGUAGE_NOT_AVAILABLE', 'NOT_IN_SPOKEN_LANGUAGE']],
  ['instead of a requested one, in the spoken language', 'en', { language: 'fr' }, '.en', ['LANGUAGE_NOT_AVAILABLE']],
])('selectRequestedTrack warns of a track %s', (_, spoken, options, key, codes) => {
  const { track: taken, warnings } = select(TRACKS, spoken, options)
  expect(taken.key).toBe(key)
  expect(warnings.map(({ code }) => code)).toEqual(codes)
})

test('selectRequestedTrack does not warn of a track whose language is unknown', () => {
  expect(select([track('.und')], 'ja').warnings).toEqual([])
})

test('selectRequestedTrack names the tracks in the spoken language, by language and kind', () => {
  const { warnings } = select([...TRACKS, track('a.ja-JP')], 'ja')
  expect(warnings[0]?.message).toBe(
    'The captions are in `en`, but `ja` is spoken in the video. The captions in the spoken language are `ja` (automatic), `ja-JP` (automatic). Request them with `options.language` or `options.track_preference`.',
  )
})

test('selectRequestedTrack says that there are no captions in the spoken language', () => {
  expect(select([track('.en')], 'ja').warnings).toEqual([
    {
      code: 'NOT_IN_SPOKEN_LANGUAGE',
      message:
        'The captions are in `en`, but `ja` is spoken in the video. There are no captions in the spoken language.',
    },
  ])
})

test.each([
  [
    'no_speech',
    'The captions in `en` (written by people) contain no speech. The next track by the same rule was used.',
  ],
  [
    'withheld',
    'The captions in `en` (written by people) were not sent by the platform. The next track by the same rule was used.',
  ],
] as const)('selectRequestedTrack passes over a track with the fault %s, and says so', (fault, message) => {
  const { track: taken, warnings } = select([track('.en', { fault }), track('a.en')], 'en')
  expect(taken.key).toBe('a.en')
  expect(warnings).toEqual([{ code: 'TRACK_WITHOUT_SPEECH', message }])
})

test('selectRequestedTrack does not warn of an unusable track that would not have been selected', () => {
  expect(select([track('.en'), track('a.en', { fault: 'no_speech' })], 'en').warnings).toEqual([])
})

test('selectRequestedTrack selects an unusable track if there is no other', () => {
  const { track: taken, warnings } = select([track('.en', { fault: 'no_speech' })], 'en')
  expect([taken.key, warnings]).toEqual(['.en', []])
})

test.each([
  ['dub', 'DUBBED_CAPTIONS'],
  ['forced', 'FORCED_CAPTIONS'],
] as const)('selectRequestedTrack warns if there is only a track with the role %s', (role, code) => {
  const { warnings } = select([track('a.de', { role })], 'de')
  expect(warnings).toEqual([{ code, message: expect.stringContaining('The video has only captions') }])
})
