export interface Example {
  summary: string
  value: unknown
}

/** Examples of an operation in the OpenAPI document. A test validates every value against the operation's schemas. */
export interface OperationExamples {
  /** Description of a successful response. */
  response?: string
  /** Request bodies, besides the typical one of the route. */
  bodies?: Record<string, Example>
  /** `data` of the envelope. */
  data?: Record<string, Example>
  /** Documents and event streams, by media type. */
  documents?: Record<string, string>
}
