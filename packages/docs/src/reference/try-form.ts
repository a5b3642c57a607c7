import { API_PREFIX } from '@subtext/contracts'
import { escapeMarkup } from '@subtext/render'
import type { ReferenceOperation, ReferenceParameter } from './operations.ts'

/** Headers that only matter for a second request, and would change the first one. */
const LEFT_OUT = new Set(['If-None-Match', 'Last-Event-ID', 'Idempotency-Key'])

function writeInput(
  operationId: string,
  { name, in: place, values, example, required, type }: ReferenceParameter,
): string {
  const id = `${operationId}.${name}`
  const attributes = `id="${id}" name="${escapeMarkup(name)}" data-in="${place}"${required ? ' required' : ''}`
  const options = type === 'boolean' ? ['true', 'false'] : values
  const control =
    options.length > 0
      ? `<select ${attributes}><option></option>${options.map((value) => `<option>${escapeMarkup(value)}</option>`).join('')}</select>`
      : `<input ${attributes} placeholder="${escapeMarkup(example)}" autocomplete="off" spellcheck="false">`
  return `<label for="${id}">${escapeMarkup(name)}</label>${control}`
}

/** Returns a form that sends the request from the page. It is hidden until the script of the page has taken charge of it. */
export function writeTryForm({ id, method, path, parameters, body }: ReferenceOperation): string {
  const inputs = parameters.filter(({ name }) => !LEFT_OUT.has(name)).map((parameter) => writeInput(id, parameter))
  const text = body?.examples[0]?.text
  const area =
    text === undefined
      ? ''
      : `<label for="${id}.body">Body</label><textarea id="${id}.body" name="body" rows="${text.split('\n').length}" spellcheck="false">${escapeMarkup(text)}</textarea>`
  return `<details class="trial" hidden><summary>Try it</summary>
<form class="try" data-method="${method}" data-path="${escapeMarkup(API_PREFIX + path)}">
${inputs.join('\n')}
${area}
<p><button type="submit">Send request</button> <button type="button" class="stop" hidden>Stop</button></p>
<output></output>
</form>
</details>`
}
