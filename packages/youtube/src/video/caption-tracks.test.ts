import { measureGrowth } from '@subtext/runtime/testing'
import {
  buildCaptionUrl,
  isGated,
  lacksManualTrack,
  listPlatformTracks,
  selectSpokenLanguage,
} from './caption-tracks.ts'
import { parsePlayerResponse } from './player-response.ts'

const response = (captionTracks: unknown[], more: object = {}) =>
  parsePlayerResponse({ captions: { playerCaptionsTracklistRenderer: { captionTracks, ...more } } })
const track = (languageCode: string, more: object = {}) => ({
  baseUrl: `/api/timedtext?lang=${languageCode}`,
  languageCode,
  ...more,
})

describe('listPlatformTracks', () => {
  test('reads key, kind and name, and the default track of the default audio', () => {
    const tracks = listPlatformTracks(
      response(
        [
          track('pt-br', { vssId: '.pt-br.x1', name: { simpleText: 'Português\u202E (Brasil)' } }),
          track('iw', { vssId: 'a.iw', kind: 'asr', name: { runs: [{ text: 'Hebrew ' }, { text: '(auto)' }] } }),
        ],
        { audioTracks: [{ defaultCaptionTrackIndex: 0 }, { defaultCaptionTrackIndex: 1 }], defaultAudioTrackIndex: 1 },
      ),
    )
    expect(tracks.map(({ baseUrl: _, ...rest }) => rest)).toEqual([
      { key: '.pt-br.x1', language: 'pt-BR', kind: 'manual', name: 'Português (Brasil)', isDefault: false },
      { key: 'a.iw', language: 'he', kind: 'auto', name: 'Hebrew (auto)', isDefault: true },
    ])
  })

  test('builds missing keys and names, and lists each key once', () => {
    const tracks = listPlatformTracks(response([track('en'), track('en', { kind: 'asr' }), track('en'), track('?!')]))
    expect(tracks.map(({ key, language, name }) => [key, language, name])).toEqual([
      ['.en', 'en', 'en'],
      ['a.en', 'en', 'en'],
      ['.und', 'und', 'und'],
    ])
  })

  test('skips machine translations and malformed tracks', () => {
    const translated = track('fr', { baseUrl: '/api/timedtext?lang=en&tlang=fr' })
    const tracks = listPlatformTracks(
      response([translated, null, {}, { baseUrl: 'http://', languageCode: 'de' }, track('en')]),
    )
    expect(tracks.map(({ key }) => key)).toEqual(['.en'])
  })
})

test('listPlatformTracks takes time in proportion to the numbers of tracks and audio tracks', async () => {
  const code = (index: number) =>
    [676, 26, 1].map((base) => String.fromCharCode(97 + (Math.floor(index / base) % 26))).join('')
  const list = (count: number) =>
    listPlatformTracks(
      response(
        Array.from({ length: count }, (_, index) => track(code(index), { kind: 'asr' })),
        { audioTracks: Array.from({ length: count }, (_, index) => ({ audioTrackId: `${code(index + 5_000)}.10` })) },
      ),
    )
  expect(await measureGrowth(list, { small: 50, large: 500 })).toBeLessThan(4)
})

describe('listPlatformTracks recognizes', () => {
  const asr = (language: string) => track(language, { kind: 'asr', vssId: `a.${language}` })
  const audio = (id: string, captionTrackIndices?: number[]) => ({ audioTrackId: id, captionTrackIndices })

  test.each<[string, object[], object[], string]>([
    [
      'a dub by its language',
      [asr('en-US'), asr('vi')],
      [audio('vi.4', [0, 1]), audio('en-US.10', [0, 1])],
      'a.en-US dub, a.vi',
    ],
    [
      'a dub whose tags differ in the region',
      [asr('en'), asr('de')],
      [audio('de-DE.4'), audio('en-US.10')],
      'a.en dub, a.de',
    ],
    [
      'a dub in another region',
      [asr('pt-BR'), asr('pt-PT')],
      [audio('pt-PT.4'), audio('pt-BR.10')],
      'a.pt-BR dub, a.pt-PT',
    ],
    ['no dub in the language of the original', [asr('pt')], [audio('pt-PT.4'), audio('pt-BR.10')], 'a.pt'],
    ['no dub where people dubbed', [asr('en'), asr('de')], [audio('de.4'), audio('en.3')], 'a.en, a.de'],
    [
      'no dub in manual tracks',
      [track('en', { vssId: '.en' }), asr('de')],
      [audio('de.4'), audio('en.10')],
      '.en, a.de',
    ],
    [
      'a track of dubbed audio alone',
      [track('en', { vssId: '.en' }), asr('de')],
      [audio('de.4', [1]), audio('en.10', [0, 1])],
      '.en dub, a.de',
    ],
    ['a dub that says so', [{ ...asr('en'), audioTrackId: 'en.10' }, asr('de')], [], 'a.en dub, a.de'],
    [
      'forced tracks',
      [track('en', { vssId: '.en', kind: 'frc' }), track('de', { vssId: '.de', kind: '' })],
      [],
      '.en forced, .de',
    ],
    [
      'no role in malformed audio',
      [asr('en')],
      [audio('en10'), { audioTrackId: 10, captionTrackIndices: 'x' }, audio('.10')],
      'a.en',
    ],
  ])('%s', (_, captionTracks, audioTracks, expected) => {
    const tracks = listPlatformTracks(response(captionTracks, { audioTracks }))
    expect(tracks.map(({ key, role }) => [key, role].filter(Boolean).join(' ')).join(', ')).toBe(expected)
  })

  test('the ordinary one of two tracks with the same key', () => {
    const tracks = listPlatformTracks(response([track('en', { kind: 'frc' }), track('de'), track('en')]))
    expect(tracks.map(({ key, role }) => [key, role])).toEqual([
      ['.en', undefined],
      ['.de', undefined],
    ])
  })

  test('only as many tracks as a video can have', () => {
    expect(listPlatformTracks(response(Array.from({ length: 5_000 }, (_, n) => asr(`en-x-${n}`))))).toHaveLength(500)
  })
})

test.each<[string, object[], object[], boolean]>([
  ['there is no manual track', [track('en', { kind: 'asr' })], [], true],
  ['the manual track is forced', [track('en', { kind: 'frc' }), track('en', { kind: 'asr' })], [], true],
  ['manual tracks are in other languages', [track('de'), track('en', { kind: 'asr' })], [], true],
  ['the audio is in another language', [track('de')], [{ audioTrackId: 'en-US.4' }], true],
  ['a manual track is in the spoken language', [track('de'), track('en-GB'), track('en', { kind: 'asr' })], [], false],
  ['the spoken language is unknown', [track('de')], [], false],
])('lacksManualTrack if %s', (_, captionTracks, audioTracks, expected) => {
  expect(lacksManualTrack(response(captionTracks, { audioTracks }))).toBe(expected)
})

test.each<[string, object[], object[], string | null]>([
  [
    'the automatic track that is not of a dub',
    [track('en', { kind: 'asr', audioTrackId: 'en.10' }), track('vi', { kind: 'asr' })],
    [{ audioTrackId: 'en.10' }],
    'vi',
  ],
  [
    'the original audio, whatever speech recognition found',
    [track('ja', { kind: 'asr' })],
    [{ audioTrackId: 'fr.3' }, { audioTrackId: 'en-US.4' }],
    'en-US',
  ],
  ['the automatic track', [track('de'), track('fr', { kind: 'asr' })], [{ audioTrackId: 'de.3' }], 'fr'],
  ['nothing, if the platform does not name it', [track('de')], [{}], null],
])('selectSpokenLanguage takes the language from %s', (_, captionTracks, audioTracks, expected) => {
  expect(selectSpokenLanguage(response(captionTracks, { audioTracks }))).toBe(expected)
})

describe('buildCaptionUrl', () => {
  test('requests json3 in the language of the track, once', () => {
    const url = buildCaptionUrl('https://www.youtube.com/api/timedtext?fmt=srv3&lang=en&tlang=de&xosf=1&fmt=vtt')
    expect(url?.href).toBe('https://www.youtube.com/api/timedtext?fmt=json3&lang=en')
  })

  test.each([
    'https://evil.example/api/timedtext',
    'https://youtube.com.evil.example/',
    'https://notyoutube.com/',
    'https://www.youtube.com@evil.example/',
    'https://a:b@www.youtube.com/',
    'https://www.youtube.com:444/',
    'https://www.youtube.com./',
    'http://www.youtube.com/',
    'http://127.0.0.1/',
    'javascript:alert(1)',
    '//evil.example/x',
    'https://[',
  ])('refuses %s', (address) => {
    expect(buildCaptionUrl(address)).toBeNull()
    expect(buildCaptionUrl(address, 'http://127.0.0.1:8080')).toBeNull()
  })

  test('accepts an address on the configured origin', () => {
    const origin = 'http://127.0.0.1:8080'
    expect(buildCaptionUrl(`${origin}/api/timedtext?lang=en`, origin)?.origin).toBe(origin)
  })
})

test.each([
  ['exp=xpe', true],
  ['exp=xbt,xpv', true],
  ['exp=a&exp=xpe', true],
  ['exp=xbt', false],
  ['lang=xpe', false],
])('isGated for ?%s is %p', (query, expected) => {
  expect(isGated(new URL(`https://www.youtube.com/api/timedtext?${query}`))).toBe(expected)
})
