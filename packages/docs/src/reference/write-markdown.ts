import { writeCurl } from './curl.ts'
import type { Field, Form } from './fields.ts'
import type { Reference, ReferenceOperation } from './operations.ts'
import { describeRequest } from './sample-request.ts'

const MAX_DEPTH = 3

function writeField(field: Field, depth: number): string[] {
  const { name, type, required, deprecated, description, notes, values, forms } = field
  const about = [
    type,
    required ? 'required' : '',
    deprecated ? 'deprecated' : '',
    values.length > 0 ? `one of ${values.map((value) => `\`${value}\``).join(', ')}` : '',
    ...notes,
  ].filter((each) => each !== '')
  const line = `${'  '.repeat(depth)}- \`${name}\` (${about.join('; ')})${description === '' ? '' : `: ${description}`}`
  const nested = depth < MAX_DEPTH ? forms.flatMap(({ fields }) => fields) : []
  return [line, ...nested.flatMap((each) => writeField(each, depth + 1))]
}

const writeFields = (fields: Field[]): string => fields.flatMap((field) => writeField(field, 0)).join('\n')

const writeForms = (title: string, forms: Form[]): string[] =>
  forms.slice(0, 1).flatMap(({ fields }) => (fields.length > 0 ? [`**${title}**`, writeFields(fields)] : []))

function writeOperation(operation: ReferenceOperation, server: string): string {
  const { method, path, summary, description, parameters, body, responses, isEvent } = operation
  const success = responses.find(({ status }) => status.startsWith('2'))
  const errors = responses.flatMap(({ status, codes }) => (codes.length > 0 ? [`${status} ${codes.join(', ')}`] : []))
  return [
    `### ${summary.replace(/\.$/, '')}`,
    isEvent ? `Event \`${path}\`` : `\`${method} ${path}\``,
    description,
    ...(isEvent || parameters.length === 0 ? [] : ['**Parameters**', writeFields(parameters)]),
    ...writeForms('Body', body?.forms ?? []),
    isEvent ? '' : ['```sh', writeCurl(describeRequest(operation, server)), '```'].join('\n'),
    ...(isEvent ? [] : writeForms(`Response ${success?.status ?? ''}: \`data\``, success?.forms ?? [])),
    errors.length > 0 ? `Errors: ${errors.join('; ')}` : '',
  ]
    .filter((block) => block !== '')
    .join('\n\n')
}

/** Returns all operations and events as a Markdown document. */
export const writeReferenceMarkdown = ({ title, version, description, server, groups }: Reference): string =>
  [
    `# ${title} API ${version}`,
    `Base URL: ${server}`,
    description,
    ...groups.flatMap(({ name, description: about, operations }) => [
      `## ${name}`,
      about,
      ...operations.map((operation) => writeOperation(operation, server)),
    ]),
  ].join('\n\n')
