import { setImmediate as nextTurn } from 'node:timers/promises'
import { API_PREFIX } from '@subtext/contracts'
import { escapeMarkup } from '@subtext/render'
import { renderCode, renderInline, renderMarkdown } from '../markdown.ts'
import { ERRORS_PATH } from '../paths.ts'
import { writeCurl } from './curl.ts'
import type { Field, Form } from './fields.ts'
import type { Reference, ReferenceExample, ReferenceGroup, ReferenceOperation } from './operations.ts'
import { writePython } from './python.ts'
import { describeRequest, type SampleRequest } from './sample-request.ts'
import { writeTryForm } from './try-form.ts'
import { writeTypeScript } from './typescript.ts'

/** Descriptions have no links to other documents. */
const paragraphs = (markdown: string): string => renderMarkdown(markdown, (href) => href).html

const codes = (values: string[]): string => values.map((value) => `<code>${escapeMarkup(value)}</code>`).join(' ')

function writeField({ name, type, required, deprecated, description, notes, values, forms }: Field): string {
  const marks = [required ? '<b class="required">required</b>' : '', deprecated ? '<b class="old">deprecated</b>' : '']
  const details = [
    ...(values.length > 0 ? [`one of ${codes(values)}`] : []),
    ...notes.map((note) => escapeMarkup(note)),
  ].join('; ')
  return [
    `<li><p class="field"><code>${escapeMarkup(name)}</code> <span>${escapeMarkup(type)}</span> ${marks.join('')}</p>`,
    paragraphs(description),
    details === '' ? '' : `<p class="notes">${details}</p>`,
    forms.length === 0 ? '' : writeNested(name, forms),
    '</li>',
  ].join('')
}

const writeFields = (fields: Field[]): string => `<ul class="fields">${fields.map(writeField).join('\n')}</ul>`

const writeNested = (name: string, forms: Form[]): string =>
  forms
    .map((form, index) => {
      const which = forms.length > 1 ? `, form ${index + 1}: ${form.name}` : ''
      return `<details><summary>Fields of <code>${escapeMarkup(name)}</code>${escapeMarkup(which)}</summary>${writeFields(form.fields)}</details>`
    })
    .join('')

/** Writes the first form in full, and the others on request. */
function writeForms([first, ...others]: Form[], nameOther: (form: Form) => string): string {
  if (!first) return ''
  const rest = others.map(
    (form) => `<details><summary>${escapeMarkup(nameOther(form))}</summary>${writeFields(form.fields)}</details>`,
  )
  return [writeFields(first.fields), ...rest].join('')
}

const PLACES = { path: 'Path', query: 'Query', header: 'Headers' } as const

const writeParameters = ({ parameters }: ReferenceOperation): string =>
  (Object.keys(PLACES) as (keyof typeof PLACES)[])
    .map((place) => ({ place, fields: parameters.filter((parameter) => parameter.in === place) }))
    .filter(({ fields }) => fields.length > 0)
    .map(({ place, fields }) => `<h4>${PLACES[place]}</h4>${writeFields(fields)}`)
    .join('\n')

function writeBody({ body, isEvent }: ReferenceOperation): string {
  if (!body || body.forms.length === 0) return ''
  const forms = writeForms(body.forms, () => 'The older form, deprecated')
  return `<h4>${isEvent ? 'Body' : 'Request body'}</h4>${forms}`
}

function writeSuccess({ responses }: ReferenceOperation): string {
  const [success] = responses.filter(({ status }) => status.startsWith('2'))
  if (!success) return ''
  const types = success.mediaTypes.filter((type) => type !== 'application/json')
  const data =
    success.forms.length > 0 ? `<p><code>data</code>:</p>${writeForms(success.forms, ({ name }) => `Or ${name}`)}` : ''
  const others = types.length > 0 ? `<p class="notes">Also ${codes(types)}</p>` : ''
  return `<h4>Response <span class="status">${success.status}</span></h4><p>${renderInline(success.description)}</p>${others}${data}`
}

function writeErrors({ responses }: ReferenceOperation): string {
  const rows = responses.flatMap(({ status, codes: errors }) =>
    errors.length > 0
      ? [
          `<li><span class="status">${status}</span> ${errors.map((code) => `<a href="${ERRORS_PATH}#${code}"><code>${code}</code></a>`).join(' ')}</li>`,
        ]
      : [],
  )
  return rows.length > 0 ? `<details class="errors"><summary>Errors</summary><ul>${rows.join('')}</ul></details>` : ''
}

function writeExamples(title: string, examples: ReferenceExample[]): string {
  const [first, ...others] = examples
  if (!first) return ''
  const write = ({ text, language }: ReferenceExample): string => renderCode(text, language)
  const rest = others.map(
    (example) =>
      `<details><summary>${renderInline(example.summary || 'Another example.')}</summary>${write(example)}</details>`,
  )
  return `<figure><figcaption>${escapeMarkup(title)}</figcaption>${write(first)}</figure>${rest.join('')}`
}

const LANGUAGES: [name: string, highlighted: string, write: (request: SampleRequest) => string][] = [
  ['curl', 'bash', writeCurl],
  ['TypeScript', 'typescript', writeTypeScript],
  ['Python', 'python', writePython],
]

/** Writes a request in each language. One of them is open at a time; the script of the page keeps the choice. */
const writeRequest = (id: string, request: SampleRequest): string =>
  LANGUAGES.map(
    ([name, highlighted, write], at) =>
      `<details class="language" name="request.${id}" data-language="${name}"${at === 0 ? ' open' : ''}><summary>${name}</summary>${renderCode(write(request), highlighted)}</details>`,
  ).join('\n')

function writeSamples(operation: ReferenceOperation, server: string): string {
  const { body, responses, isEvent } = operation
  if (isEvent) return writeExamples('Event', body?.examples ?? [])
  const success = responses.find(({ status }) => status.startsWith('2'))
  return [
    `<figure><figcaption>Request</figcaption>${writeRequest(operation.id, describeRequest(operation, server))}</figure>`,
    writeTryForm(operation),
    ...(body?.examples.slice(1) ?? []).map(
      ({ summary, text, language }) =>
        `<details><summary>${renderInline(summary)}</summary>${renderCode(text, language)}</details>`,
    ),
    writeExamples('Response', success?.examples ?? []),
  ].join('\n')
}

function writeOperation(operation: ReferenceOperation, server: string): string {
  const { id, method, path, summary, description, isEvent } = operation
  const prefix = isEvent ? '' : API_PREFIX
  return `<section class="operation" id="${id}">
<div class="text">
<h3><a class="anchor" href="#${id}">${renderInline(summary)}</a></h3>
<p class="endpoint"><b class="method ${method.toLowerCase()}">${method}</b> <code>${escapeMarkup(prefix + path)}</code></p>
${paragraphs(description)}
${isEvent ? '' : writeParameters(operation)}
${writeBody(operation)}
${isEvent ? '' : writeSuccess(operation)}
${writeErrors(operation)}
</div>
<div class="samples">
${writeSamples(operation, server)}
</div>
</section>`
}

async function writeGroup({ name, description, operations }: ReferenceGroup, server: string): Promise<string> {
  let html = `<section class="group"><h2 id="${name}">${escapeMarkup(name)}</h2><p>${renderInline(description)}</p>`
  for (const operation of operations) {
    html += `\n${writeOperation(operation, server)}`
    await nextTurn()
  }
  return `${html}\n</section>`
}

/** Returns all operations and events as HTML. Lets the event loop run after each. */
export async function writeReferenceHtml({ groups, server }: Reference): Promise<string> {
  let html = ''
  for (const group of groups) html += `${await writeGroup(group, server)}\n`
  return html
}
