import { renameLegacyFields } from './legacy-fields.ts'

const URL = 'https://youtu.be/dQw4w9WgXcQ'

describe('renameLegacyFields', () => {
  test.each([
    ['does not change a request without deprecated names', { url: URL, options: { summary_modes: ['tldr'] } }],
    ['does not change an empty request', {}],
    ['leaves unknown fields to the schema', { url: URL, nonsense: 1 }],
  ])('%s', (_, input) => {
    expect(renameLegacyFields(input)).toEqual({ body: input, deprecated: [], issues: [], renamed: new Map() })
  })

  test.each([null, undefined, 5, 'text', true, [[1]], [{ video_url: URL }]])(
    'leaves %p, which is not an object, to the schema',
    (input) => {
      expect(renameLegacyFields(input)).toEqual({ body: input, deprecated: [], issues: [], renamed: new Map() })
    },
  )

  test.each([
    [{ video_url: URL }, { url: URL }, ['video_url']],
    [{ summary_mode: 'tldr' }, { options: { summary_modes: ['tldr'] } }, ['summary_mode']],
    [{ summary_type: 'tldr' }, { options: { summary_modes: ['tldr'] } }, ['summary_type']],
    [
      { summary_type: 'tldr', options: { language: 'de' } },
      { options: { language: 'de', summary_modes: ['tldr'] } },
      ['summary_type'],
    ],
    [
      { video_url: URL, summary_mode: 'tldr', summary_type: 'tldr' },
      { url: URL, options: { summary_modes: ['tldr'] } },
      ['video_url', 'summary_mode', 'summary_type'],
    ],
  ])('renames the fields of %j', (input, body, deprecated) => {
    expect(renameLegacyFields(input)).toMatchObject({ body, deprecated, issues: [] })
  })

  test.each([
    [{ url: URL, video_url: null, summary_mode: null, summary_type: null }, { url: URL }, []],
    [{ url: null, video_url: URL }, { url: URL }, ['video_url']],
  ])('takes null for the absence of a field: %j', (input, body, deprecated) => {
    expect(renameLegacyFields(input)).toMatchObject({ body, deprecated, issues: [] })
    expect(Object.keys(renameLegacyFields(input).body as object)).toEqual(['url'])
  })

  test.each([
    [{ video_url: URL, url: URL }, ['video_url']],
    [{ summary_mode: 'tldr', options: { summary_modes: ['tldr'] } }, ['summary_mode']],
    [{ summary_mode: 'tldr', options: { summary_modes: ['tldr', 'tldr'] } }, ['summary_mode']],
  ])('accepts a deprecated name next to its replacement if both have the same value: %j', (input, deprecated) => {
    const upgraded = renameLegacyFields(input)
    expect(upgraded).toMatchObject({ deprecated, issues: [] })
    for (const field of deprecated) expect(upgraded.body).not.toHaveProperty(field)
  })

  test.each([
    [{ video_url: URL, url: `${URL}x` }, 'video_url'],
    [{ summary_mode: 'tldr', options: { summary_modes: ['detailed'] } }, 'summary_mode'],
    [{ summary_mode: 'tldr', options: { summary_modes: ['tldr', 'detailed'] } }, 'summary_mode'],
    [{ summary_mode: 'tldr', options: { summary_modes: [] } }, 'summary_mode'],
    [{ summary_mode: 'tldr', options: { summary_modes: 'tldr' } }, 'summary_mode'],
    [{ summary_mode: 'tldr', summary_type: 'detailed' }, 'summary_type'],
  ])('reports a deprecated name that contradicts its replacement: %j', (input, path) => {
    expect(renameLegacyFields(input).issues).toEqual([expect.objectContaining({ path, code: 'conflicting_fields' })])
  })

  test('moves an invalid value as it is, so that the schema refuses it', () => {
    expect(renameLegacyFields({ video_url: 5, summary_mode: 7 }).body).toEqual({
      url: 5,
      options: { summary_modes: [7] },
    })
  })

  test('leaves options that are not an object to the schema', () => {
    expect(renameLegacyFields({ summary_mode: 'tldr', options: 'all' }).body).toEqual({ options: 'all' })
    expect(renameLegacyFields({ summary_mode: 'tldr', options: null }).body).toEqual({ options: null })
  })

  test('does not change the request it is given', () => {
    const input = Object.freeze({ video_url: URL, summary_mode: 'tldr', options: Object.freeze({ language: 'de' }) })
    renameLegacyFields(input)
    expect(input).toEqual({ video_url: URL, summary_mode: 'tldr', options: { language: 'de' } })
  })

  test('ignores names of the prototype', () => {
    const input = JSON.parse('{"__proto__":{"video_url":"x","summary_mode":"tldr"}}')
    const { body, deprecated } = renameLegacyFields(input)
    expect(deprecated).toEqual([])
    expect(Object.keys(body as object)).toEqual(['__proto__'])
  })
})
