import type { ReferenceOperation } from './operations.ts'

/** A typical request, for the samples of code. */
export interface SampleRequest {
  method: string
  url: string
  needsKey: boolean
  /** JSON. */
  payload?: string
}

const isSent = ({ required, in: place }: ReferenceOperation['parameters'][number]): boolean =>
  required || place === 'path'

/** Returns a typical request of an operation: required parameters and the first example of a body. */
export function describeRequest(operation: ReferenceOperation, server: string): SampleRequest {
  const { method, path, parameters, body, needsKey } = operation
  const example = (name: string): string => parameters.find((parameter) => parameter.name === name)?.example ?? ''
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(example(name)))
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && isSent(parameter))
    .map(({ name, example }) => `${name}=${encodeURIComponent(example)}`)
    .join('&')
  const payload = body?.examples[0]?.text
  return {
    method,
    url: `${server}${filled}${query === '' ? '' : `?${query}`}`,
    needsKey,
    ...(payload && { payload }),
  }
}
