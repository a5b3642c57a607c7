import { ERRORS, type ErrorCode } from '@subtext/contracts'
import { createSchemaChecker } from '@subtext/contracts/testing'
import { buildPublishedOpenApi } from './published-openapi.ts'

type Json = Record<string, unknown>
const document = JSON.parse(buildPublishedOpenApi()) as Json

interface Sample {
  pointer: string
  value: unknown
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null
const escapePart = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1')

const resolve = (reference: string): unknown =>
  reference
    .slice(2)
    .split('/')
    .reduce<unknown>((value, part) => (value as Json)[part], document)

/** Finds every example next to a schema, anywhere in the document. */
function findSamples(value: unknown, pointer = ''): Sample[] {
  if (!isObject(value)) return []
  const below = Object.entries(value).flatMap(([name, inner]) => findSamples(inner, `${pointer}/${escapePart(name)}`))
  if (!isObject(value.schema)) return below
  const named = Object.values((value.examples as Json | undefined) ?? {}).map((example) =>
    isObject(example) && typeof example.$ref === 'string' ? resolve(example.$ref) : example,
  )
  const values = [...('example' in value ? [value.example] : []), ...named.map((example) => (example as Json).value)]
  return [...below, ...values.map((each) => ({ pointer: `${pointer}/schema`, value: each }))]
}

describe('the examples of the document', () => {
  const samples = findSamples(document)
  const check = createSchemaChecker(document)

  test('match their schemas exactly', () => {
    expect(samples.length).toBeGreaterThan(100)
    expect(
      samples.flatMap(({ pointer, value }) => check(pointer, value).map((problem) => `${pointer}: ${problem}`)),
    ).toEqual([])
  })

  test('show every error with the message of its first issue or of its code', () => {
    const { examples } = document.components as { examples: Record<ErrorCode, { value: { error: Json } }> }
    for (const [code, { value }] of Object.entries(examples)) {
      const { message: general, retryable } = ERRORS[code as ErrorCode]
      const { issues = [] } = (value.error.details ?? {}) as { issues?: { message: string }[] }
      expect(value.error).toMatchObject({ code, message: issues[0]?.message ?? general, retryable })
    }
  })

  test('cover every request body, response and webhook', () => {
    const contents = [...JSON.stringify(document).matchAll(/"content":\{/g)]
    expect(contents.length).toBeGreaterThan(30)
    const isFile = ({ media }: { media: Json }): boolean => isObject(media.schema) && media.schema.format === 'binary'
    const without = findContents(document).filter(
      (content) => !('example' in content.media) && !('examples' in content.media) && !isFile(content),
    )
    expect(without.map(({ pointer }) => pointer)).toEqual([])
  })
})

function findContents(value: unknown, pointer = ''): { pointer: string; media: Json }[] {
  if (!isObject(value)) return []
  const own = isObject(value.content) ? Object.entries(value.content) : []
  return [
    ...own.flatMap(([type, media]) => (isObject(media) ? [{ pointer: `${pointer}/${type}`, media }] : [])),
    ...Object.entries(value).flatMap(([name, inner]) => findContents(inner, `${pointer}/${name}`)),
  ]
}
