import type { CaptionTrack, TrackKind, TrackRole } from '@subtext/contracts'
import fc from 'fast-check'
import { selectTrack } from './select-track.ts'

const ROLES: Record<string, TrackRole> = { d: 'dub', f: 'forced' }

/** `en`: manual; `a.en`: automatic; `d.en`: of dubbed audio; `f.en`: forced; a star marks the platform's default. */
const track = (name: string): CaptionTrack => {
  const isDefault = name.endsWith('*')
  const key = isDefault ? name.slice(0, -1) : name
  const [, prefix = '', language = ''] = /^(?:([adf])\.)?(.*)$/.exec(key) ?? []
  const kind: TrackKind = prefix === 'a' || prefix === 'd' ? 'auto' : 'manual'
  return { key, language, kind, name: language, isDefault, ...(ROLES[prefix] && { role: ROLES[prefix] }) }
}
const tracks = (names: string) => names.split(' ').map(track)

describe('selectTrack for a requested language', () => {
  test.each([
    ['de', 'en de a.de', 'de', 'manual_exact_language'],
    ['pt-BR', 'pt a.pt-BR pt-BR', 'pt-BR', 'manual_exact_language'],
    ['PT-br', 'pt pt-BR', 'pt-BR', 'manual_exact_language'],
    ['he', 'en iw', 'iw', 'manual_exact_language'],
    ['pt', 'en pt-BR a.pt', 'pt-BR', 'manual_language_variant'],
    ['pt-BR', 'en pt a.pt-BR', 'pt', 'manual_language_variant'],
    ['pt-PT', 'pt-BR pt a.pt', 'pt', 'manual_language_variant'],
    ['pt-PT', 'en pt-BR', 'pt-BR', 'manual_language_variant'],
    ['zh-TW', 'zh-Hans zh-Hant', 'zh-Hant', 'manual_language_variant'],
    ['zh-TW', 'zh zh-Hant', 'zh-Hant', 'manual_language_variant'],
    ['zh-TW', 'en zh', 'zh', 'manual_language_variant'],
    ['sr-Latn', 'sr sr-Latn-RS', 'sr-Latn-RS', 'manual_language_variant'],
    ['de', 'en a.de d.de', 'a.de', 'auto_exact_language'],
    ['nb', 'en no a.no', 'no', 'manual_language_variant'],
    ['no', 'en nn nb', 'nb', 'manual_language_variant'],
    ['zh', 'en zh-Hant', 'zh-Hant', 'manual_language_variant'],
    ['fr', 'en a.fr', 'a.fr', 'auto_exact_language'],
    ['fr-CA', 'en a.fr-CA a.fr', 'a.fr-CA', 'auto_exact_language'],
    ['fr-CA', 'en* a.fr', 'a.fr', 'auto_language_variant'],
    ['fr', 'en* a.fr-CA', 'a.fr-CA', 'auto_language_variant'],
  ])('%s selects from [%s] the track %s', (language, names, key, reason) => {
    const selected = selectTrack(tracks(names), { language, spokenLanguage: 'en' })
    expect(selected).toMatchObject({ track: { key }, reason, languageMatched: true })
  })

  test.each([
    ['ja', 'de en a.en', 'en', 'en', 'manual_spoken_language'],
    ['zh-Hant', 'zh-Hans a.en', 'en', 'zh-Hans', 'manual_first'],
    ['pt', 'pta de', null, 'pta', 'manual_first'],
    ['ja', 'a.de', 'de', 'a.de', 'auto_spoken_language'],
    ['not a tag', 'de a.en', null, 'de', 'manual_first'],
  ])(
    '%s, missing from [%s] (spoken: %s), selects %s as if no language was requested',
    (language, names, spokenLanguage, key, reason) => {
      const selected = selectTrack(tracks(names), { language, spokenLanguage })
      expect(selected).toMatchObject({ track: { key }, reason, languageMatched: false })
    },
  )
})

describe('selectTrack without a language', () => {
  test.each([
    ['en fr* a.fr', 'fr', 'fr', 'manual_spoken_language'],
    ['ar en-US* a.en', 'en', 'en-US', 'manual_spoken_language'],
    ['en de*', 'ja', 'de', 'manual_platform_default'],
    ['de en', 'ja', 'en', 'manual_english'],
    ['de en-GB a.ja', null, 'en-GB', 'manual_english'],
    ['de fr a.en', 'en', 'de', 'manual_first'],
    ['de a.ja*', 'ja', 'de', 'manual_first'],
    ['a.en a.ja', 'ja', 'a.ja', 'auto_spoken_language'],
    ['a.fr a.de*', null, 'a.de', 'auto_platform_default'],
    ['a.fr a.en', null, 'a.en', 'auto_english'],
    ['a.fr a.de', null, 'a.fr', 'auto_first'],
  ])('selects from [%s] with spoken language %s the track %s', (names, spokenLanguage, key, reason) => {
    expect(selectTrack(tracks(names), { spokenLanguage })).toMatchObject({
      track: { key },
      reason,
      languageMatched: true,
    })
  })
})

describe('selectTrack with the preference for the spoken language', () => {
  test.each([
    ['en fr* a.ja', 'ja', 'a.ja', 'auto_spoken_language'],
    ['en a.ja ja', 'ja', 'ja', 'manual_spoken_language'],
    ['en de* a.fr', 'ja', 'de', 'manual_platform_default'],
    ['en de* a.ja', null, 'de', 'manual_platform_default'],
  ])('selects from [%s] with spoken language %s the track %s', (names, spokenLanguage, key, reason) => {
    const selected = selectTrack(tracks(names), { spokenLanguage, preference: 'spoken_language' })
    expect(selected).toMatchObject({ track: { key }, reason, languageMatched: true })
  })

  test('selects a requested language before it, and falls back to it', () => {
    const request = { spokenLanguage: 'ja', preference: 'spoken_language' } as const
    expect(selectTrack(tracks('en a.ja'), { ...request, language: 'en' })).toMatchObject({ track: { key: 'en' } })
    expect(selectTrack(tracks('en a.ja'), { ...request, language: 'de' })).toMatchObject({
      track: { key: 'a.ja' },
      languageMatched: false,
    })
  })
})

describe('selectTrack with the preference for automatic tracks', () => {
  test.each([
    [{ language: 'pt' }, 'pt a.pt-BR a.pt', 'a.pt', 'auto_exact_language'],
    [{ language: 'pt' }, 'pt a.pt-BR a.en', 'a.pt-BR', 'auto_language_variant'],
    [{ language: 'pt' }, 'pt-BR pt a.en', 'pt', 'manual_exact_language'],
    [{ language: 'pt' }, 'pt-BR a.en', 'pt-BR', 'manual_language_variant'],
    [{}, 'en* ja a.fr a.ja', 'a.ja', 'auto_spoken_language'],
    [{}, 'en de a.fr*', 'a.fr', 'auto_platform_default'],
    [{}, 'en ja', 'ja', 'manual_spoken_language'],
  ])('and the request %j selects from [%s] the track %s', (request, names, key, reason) => {
    const selected = selectTrack(tracks(names), { spokenLanguage: 'ja', preference: 'automatic', ...request })
    expect(selected).toMatchObject({ track: { key }, reason, languageMatched: true })
  })

  test('selects as without a language if the requested one is missing', () => {
    const request = { language: 'de', spokenLanguage: 'ja', preference: 'automatic' } as const
    expect(selectTrack(tracks('en a.ja'), request)).toMatchObject({ track: { key: 'a.ja' }, languageMatched: false })
  })
})

describe('selectTrack prefers, of several tracks of one kind and language, the default of the platform', () => {
  const several: CaptionTrack[] = [
    { ...track('en'), key: 'karaoke' },
    { ...track('en'), key: 'default', isDefault: true },
    { ...track('a.en'), key: 'a.described' },
    { ...track('a.en'), key: 'a.default', isDefault: true },
  ]
  test.each<[Parameters<typeof selectTrack>[1], string]>([
    [{ language: 'en' }, 'default'],
    [{ language: 'en-GB' }, 'default'],
    [{ spokenLanguage: 'en' }, 'default'],
    [{ language: 'en', preference: 'automatic' }, 'a.default'],
  ])('for %j', (request, key) => {
    expect(selectTrack(several, request).track.key).toBe(key)
  })
})

test.each([
  ['English - Twitch Chat', 'a.en'],
  ['Chat replay', 'a.en'],
  ['English (chat)', 'a.en'],
  ['Fireside chat with Ann', 'en'],
])(
  'selectTrack tells whether a track named %s is the log of a chat, which it takes only if there is nothing else',
  (name, key) => {
    const manual = { ...track('en'), name }
    expect(selectTrack([manual, track('a.en')], { language: 'en' }).track.key).toBe(key)
    expect(selectTrack([manual, track('d.en')], {}).track.key).toBe('en')
  },
)

test.each([
  ['en a.en', 'en', 'a.en'],
  ['en de a.en', 'en', 'de'],
  ['en d.en', 'en', 'd.en'],
  ['en', 'en', 'en'],
])('selectTrack, if of [%s] the track %s is unusable, selects %s', (names, unusable, key) => {
  const all = tracks(names).map((one): CaptionTrack => (one.key === unusable ? { ...one, fault: 'no_speech' } : one))
  expect(selectTrack(all, { spokenLanguage: 'fr' }).track.key).toBe(key)
})

describe('selectTrack takes captions of dubbed audio and forced captions only if there is nothing else:', () => {
  test.each([
    ['d.en* a.ja', {}, 'a.ja'],
    ['f.en* a.ja', {}, 'a.ja'],
    ['d.de a.en', { language: 'de' }, 'a.en'],
    ['f.de a.en', { language: 'de' }, 'a.en'],
    ['d.en d.de', { language: 'de' }, 'd.de'],
    ['f.en d.de', {}, 'd.de'],
    ['f.en f.de', { language: 'de' }, 'f.de'],
  ])('from [%s] with %j it selects %s', (names, request, key) => {
    expect(selectTrack(tracks(names), { spokenLanguage: 'ja', ...request }).track.key).toBe(key)
  })
})

test('selectTrack throws TRANSCRIPT_UNAVAILABLE for a video without tracks', () => {
  expect(() => selectTrack([], { language: 'en' })).toThrow(
    expect.objectContaining({ code: 'TRANSCRIPT_UNAVAILABLE', details: { reason: 'no_captions' } }),
  )
})

describe('selectTrack, for any tracks,', () => {
  const languages = ['en', 'en-US', 'en-GB', 'pt', 'pt-BR', 'pt-PT', 'zh-Hans', 'zh-Hant', 'ja', 'und', 'bad tag']
  const anyTracks = fc
    .array(fc.tuple(fc.constantFrom(...languages), fc.constantFrom<TrackKind>('manual', 'auto'), fc.boolean()), {
      minLength: 1,
      maxLength: 8,
    })
    .map((list) => list.map(([language, kind, isDefault], n) => ({ key: `${n}`, language, kind, name: '', isDefault })))
  const asked = fc.option(fc.constantFrom(...languages, 'ko'), { nil: undefined })
  const spoken = fc.option(fc.constantFrom(...languages, 'ko'), { nil: null })
  const base = (language: string) => language.split('-')[0]

  test('selects an automatic track only for its language or when there is no manual one', () => {
    fc.assert(
      fc.property(anyTracks, asked, spoken, (list, language, spokenLanguage) => {
        const { track: taken, languageMatched } = selectTrack(list, { language, spokenLanguage })
        expect(list).toContain(taken)
        if (taken.kind === 'manual') return
        const manual = list.filter(({ kind }) => kind === 'manual')
        expect(manual.filter((other) => other.language === (language ?? taken.language))).toEqual([])
        if (!language || !languageMatched) expect(manual).toEqual([])
      }),
    )
  })

  test('finds a requested language that is available and accepts only its variants', () => {
    fc.assert(
      fc.property(anyTracks, fc.constantFrom(...languages, 'ko'), spoken, (list, language, spokenLanguage) => {
        const { track: taken, languageMatched } = selectTrack(list, { language, spokenLanguage })
        if (list.some((candidate) => candidate.language === language)) expect(languageMatched).toBe(true)
        if (languageMatched) expect(base(taken.language)).toBe(base(language))
        if (!languageMatched) expect(taken).toEqual(selectTrack(list, { spokenLanguage }).track)
      }),
    )
  })
})
