import { z } from 'zod'
import { defineRoute } from '../define-route.ts'

const Operation = z.object({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).meta({ id: 'HttpMethod' }),
  url: z.string().meta({ description: 'The path, with the names of its parameters in braces.' }),
  operation_id: z.string().meta({ description: 'As in the OpenAPI document.' }),
  summary: z.string(),
})

const Resource = z.object({
  name: z.string(),
  description: z.string(),
  operations: z.array(Operation),
})

export const ServiceIndex = z
  .object({
    name: z.string(),
    description: z.string(),
    documentation: z.object({
      reference: z.url(),
      quick_start: z.url(),
      errors: z.url(),
      openapi: z.url(),
      llms: z.url().meta({ description: 'The documentation for language models.' }),
    }),
    resources: z.array(Resource),
  })
  .meta({ id: 'ServiceIndex' })
export type ServiceIndex = z.infer<typeof ServiceIndex>

export const service = {
  index: defineRoute({
    method: 'get',
    path: '/',
    operationId: 'getServiceIndex',
    summary: 'What the API offers',
    description: 'Lists all resources with their operations, and where the documentation is. Needs no API key.',
    access: 'public',
    query: z.strictObject({}),
    response: ServiceIndex,
    status: 200,
    errors: [],
  }),
}
