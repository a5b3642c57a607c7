import { buildOpenApi } from '../openapi.ts'
import { ROUTES } from '../routes/all-routes.ts'
import type { Json } from './schemas.ts'

interface Operation {
  operationId: string
  requestBody?: { content: Record<string, { schema: Json }> }
}

const document = buildOpenApi(ROUTES, 'https://api.example.org')
const components = document.components as { schemas: Record<string, Json>; responses: Json }
const operations = Object.values(document.paths as Record<string, Record<string, Operation>>).flatMap(Object.values)

const bodyOf = (operation: Operation): Json | undefined => operation.requestBody?.content['application/json']?.schema

/** Returns every enumeration of several values, at any depth. */
function findEnumerations(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  const found = Object.values(value).flatMap(findEnumerations)
  return 'enum' in value && Array.isArray(value.enum) && value.enum.length > 1 ? [value.enum, ...found] : found
}

describe('names in the OpenAPI document', () => {
  test('gives a name to every request body, every enumeration of several values and every event', () => {
    for (const operation of operations as Operation[]) {
      const schema = bodyOf(operation)
      for (const part of (schema?.oneOf ?? [schema ?? {}]) as Json[]) {
        expect([operation.operationId, Object.keys(part)]).toEqual([operation.operationId, schema ? ['$ref'] : []])
      }
    }
    for (const { post } of Object.values(document.webhooks as Record<string, { post: Operation }>)) {
      expect(Object.keys(bodyOf(post) ?? {})).toEqual(['$ref'])
    }
    const unnamed = findEnumerations({ ...document, components: null })
    for (const schema of Object.values(components.schemas)) unnamed.push(...findEnumerations({ ...schema, enum: null }))
    expect(unnamed).toEqual([])
  })

  test('gives components names that serve as identifiers, no two alike in any group', () => {
    const names = [...Object.keys(components.schemas), ...Object.keys(components.responses)]
    expect(new Set(names).size).toBe(names.length)
    for (const name of names) expect(name).toMatch(/^[A-Z][A-Za-z]{2,63}$/)
  })
})

describe('request bodies in the OpenAPI document', () => {
  test('requires the video in the current and in the deprecated form of a submission', () => {
    const { SubmitVideo, SubmitSourceVideo, LegacySubmitVideo } = components.schemas
    const submission = operations.find(({ operationId }) => operationId === 'submitVideo')
    expect(submission && bodyOf(submission)).toEqual({
      oneOf: ['SubmitVideo', 'SubmitSourceVideo', 'LegacySubmitVideo'].map((name) => ({
        $ref: `#/components/schemas/${name}`,
      })),
    })
    const required = [SubmitVideo, SubmitSourceVideo, LegacySubmitVideo].map((schema) => schema?.required)
    expect(required).toEqual([['url'], ['source'], ['video_url']])
    expect(SubmitVideo?.properties).not.toHaveProperty('video_url')
    expect(LegacySubmitVideo).toMatchObject({ deprecated: true, properties: { url: { maxLength: 2048 } } })
    for (const name of ['video_url', 'summary_mode', 'summary_type']) {
      const properties = LegacySubmitVideo?.properties as Record<string, Json>
      expect(properties[name]).toMatchObject({ deprecated: true, description: expect.stringContaining('v2.0') })
    }
  })

  test('requires the videos in the current and the jobs in the deprecated form of a batch', () => {
    const { SubmitBatch, LegacySubmitBatch } = components.schemas
    expect([SubmitBatch?.required, LegacySubmitBatch?.required]).toEqual([['videos'], ['jobs']])
    expect(SubmitBatch?.properties).not.toHaveProperty('jobs')
    expect(LegacySubmitBatch?.properties).not.toHaveProperty('videos')
  })
})
