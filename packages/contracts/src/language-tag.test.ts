import { z } from 'zod'
import { languageTag } from './language-tag.ts'

const refusalOf = (given: unknown): string | undefined => languageTag.safeParse(given).error?.issues[0]?.message

describe('languageTag', () => {
  test.each([
    ['en', 'en'],
    ['PT-br', 'pt-BR'],
    ['zh-hans-cn', 'zh-Hans-CN'],
    ['es-419', 'es-419'],
    ['iw', 'he'],
    ['sr-latn', 'sr-Latn'],
    ['en-UK', 'en-GB'],
    ['yue', 'yue'],
    ['tlh', 'tlh'],
    ['und', 'und'],
  ])('converts %s to %s', (given, canonical) => {
    expect(languageTag.parse(given)).toBe(canonical)
  })

  test.each([
    '',
    'e',
    'not a tag',
    'en_US',
    'en-',
    '-en',
    'english-language-of-england',
    'en\u0000',
    '日本',
    `en-x-${'a'.repeat(40)}`,
    'klingon',
    'xx',
    'zz',
    'x'.repeat(100_000),
  ])('refuses %p, which is not a language tag', (given) => {
    expect(refusalOf(given)).toContain('Must be a BCP-47 language tag')
  })

  test.each([
    ['English', 'en'],
    ['german', 'de'],
    [' Chinese ', 'zh'],
    ['pt_BR', 'pt-BR'],
    ['jp', 'ja'],
    ['CN', 'zh'],
    ['ua', 'uk'],
  ])('refuses %j and names the tag that was probably meant, %s', (given, meant) => {
    expect(refusalOf(given)).toContain(`Did you mean \`${meant}\`?`)
  })

  test.each(['klingon', 'xx', 'ZZ', '', 'e', '日本', '__proto__', 'constructor'])(
    'guesses nothing for %j, which resembles no tag',
    (given) => {
      expect(refusalOf(given)).not.toContain('Did you mean')
    },
  )

  test('includes its limits in the JSON Schema', () => {
    expect(z.toJSONSchema(languageTag, { io: 'input' })).toMatchObject({ type: 'string', minLength: 2, maxLength: 35 })
  })
})
