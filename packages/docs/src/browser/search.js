const dialog = document.querySelector('#search')
const input = dialog.querySelector('input')
const list = dialog.querySelector('ol')
const none = dialog.querySelector('p')
const SNIPPET = 110

let loading
const loadIndex = () => {
  loading ??= fetch(dialog.dataset.index).then((response) => response.json())
  return loading
}

const snippetOf = (text, [word = '']) => {
  const at = Math.max(0, text.toLowerCase().indexOf(word) - SNIPPET / 3)
  return `${at > 0 ? '…' : ''}${text.slice(at, at + SNIPPET)}${at + SNIPPET < text.length ? '…' : ''}`
}

const element = (name, text) => {
  const made = document.createElement(name)
  made.textContent = text
  return made
}

const show = ({ entries, words }) => {
  list.replaceChildren(
    ...entries.map(({ p, h, u, t }) => {
      const link = document.createElement('a')
      link.href = u
      link.append(element('small', p), element('b', h), element('span', snippetOf(t, words)))
      const item = document.createElement('li')
      item.append(link)
      return item
    }),
  )
  const isAsWritten = words.every((word) => input.value.toLowerCase().includes(word))
  none.textContent = entries.length === 0 ? 'No results.' : `Results for “${words.join(' ')}”.`
  none.hidden = words.length === 0 || (entries.length > 0 && isAsWritten)
}

const update = async () => {
  const question = input.value
  const found = rankEntries(await loadIndex(), question)
  if (question === input.value) show(found)
}

const open = () => {
  dialog.showModal()
  input.select()
  void update()
}

for (const button of document.querySelectorAll('[data-open-search]')) {
  button.hidden = false
  button.addEventListener('click', open)
}
none.hidden = true
input.addEventListener('input', update)

addEventListener('keydown', (event) => {
  const isTyping = /^(?:INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '')
  const isShortcut = (event.key === '/' && !isTyping) || (event.key === 'k' && (event.ctrlKey || event.metaKey))
  if (!isShortcut || dialog.open) return
  event.preventDefault()
  open()
})

dialog.addEventListener('keydown', (event) => {
  const links = [...list.querySelectorAll('a')]
  const at = links.indexOf(document.activeElement)
  if (event.key === 'ArrowDown') links[Math.min(at + 1, links.length - 1)]?.focus()
  else if (event.key === 'ArrowUp') (links[at - 1] ?? input).focus()
  else if (event.key === 'Enter' && document.activeElement === input) links[0]?.click()
  else return
  event.preventDefault()
})

dialog.addEventListener('click', ({ target }) => {
  // A click beside the dialog, or on a result: the page may stay the same.
  if (target === dialog || target.closest('a')) dialog.close()
})
