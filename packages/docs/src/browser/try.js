const MAX_SHOWN = 200_000

const keyForm = document.querySelector('.key')
const keyInput = keyForm.querySelector('input')
keyForm.hidden = false
keyForm.addEventListener('submit', (event) => event.preventDefault())

/** Returns the address and the options of the request that a form describes. Empty fields are not sent. */
const readRequest = (form) => {
  const headers = new Headers()
  const query = new URLSearchParams()
  let { path } = form.dataset
  for (const control of form.querySelectorAll('[data-in]')) {
    const { name, value } = control
    if (control.dataset.in === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value))
    else if (value !== '' && control.dataset.in === 'query') query.set(name, value)
    else if (value !== '') headers.set(name, value)
  }
  if (keyInput.value !== '') headers.set('Authorization', `Bearer ${keyInput.value.trim()}`)
  const body = form.elements.body?.value
  if (body !== undefined) headers.set('Content-Type', 'application/json')
  const address = query.size > 0 ? `${path}?${query}` : path
  return [address, { method: form.dataset.method, headers, body, credentials: 'same-origin' }]
}

const pretty = (text) => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Shows the body as it arrives, since an event stream may go on for minutes. */
const showBody = async (response, code) => {
  const type = response.headers.get('Content-Type') ?? ''
  if (!/^(?:text|application\/(?:json|x-subrip))/.test(type)) {
    const { size } = await response.blob()
    code.textContent = `${size.toLocaleString('en-US')} bytes of ${type}`
    return
  }
  let text = ''
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += part.value
    if (text.length > MAX_SHOWN) {
      text = `${text.slice(0, MAX_SHOWN)}\n…`
      await reader.cancel()
      break
    }
    code.textContent = text
  }
  code.textContent = type.startsWith('application/json') ? pretty(text) : text
}

const send = async (form, signal) => {
  const output = form.querySelector('output')
  const status = document.createElement('p')
  const code = document.createElement('code')
  const pre = document.createElement('pre')
  pre.tabIndex = 0
  pre.append(code)
  output.replaceChildren(status, pre)
  status.textContent = 'Waiting for the response…'
  const began = performance.now()
  try {
    const [address, options] = readRequest(form)
    const response = await fetch(address, { ...options, signal })
    const took = Math.round(performance.now() - began)
    status.textContent = `${response.status} ${response.statusText} in ${took} ms · request ${response.headers.get('X-Request-Id')}`
    await showBody(response, code)
  } catch (error) {
    if (signal.aborted) status.textContent += ' · stopped'
    else status.textContent = `The request failed: ${error.message}`
  }
}

for (const form of document.querySelectorAll('.try')) {
  const stop = form.querySelector('.stop')
  let running
  form.closest('details').hidden = false
  stop.addEventListener('click', () => running?.abort())
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    running?.abort()
    const controller = new AbortController()
    running = controller
    stop.hidden = false
    await send(form, controller.signal)
    if (running === controller) stop.hidden = true
  })
}
