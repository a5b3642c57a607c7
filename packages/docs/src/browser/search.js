const dialog = document.querySelector('#search')
const input = dialog.querySelector('input')
const list = dialog.querySelector('ol')
const none = dialog.querySelector('p')
const MAX_RESULTS = 12
const SNIPPET = 110

let loading
const loadIndex = () => {
  loading ??= fetch(dialog.dataset.index).then((response) => response.json())
  return loading
}

const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []

/** Rates how well one word of the question fits: 0 if it does not occur. */
const rateWord = (word, { p, h, t }) => {
  const begins = (text) => wordsOf(text).some((each) => each.startsWith(word))
  return (begins(h) ? 6 : 0) + (begins(p) ? 3 : 0) + (begins(t) ? 1 : t.toLowerCase().includes(word) ? 0.5 : 0)
}

/** Every word has to occur; those in headings count most. */
const search = (index, question) => {
  const words = wordsOf(question)
  if (words.length === 0) return []
  return index
    .map((entry) => ({ entry, rates: words.map((word) => rateWord(word, entry)) }))
    .filter(({ rates }) => rates.every((rate) => rate > 0))
    .map(({ entry, rates }) => ({ entry, score: rates.reduce((sum, rate) => sum + rate, 0) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_RESULTS)
    .map(({ entry }) => entry)
}

const snippetOf = (text, question) => {
  const [word = ''] = wordsOf(question)
  const at = Math.max(0, text.toLowerCase().indexOf(word) - SNIPPET / 3)
  return `${at > 0 ? '…' : ''}${text.slice(at, at + SNIPPET)}${at + SNIPPET < text.length ? '…' : ''}`
}

const element = (name, text) => {
  const made = document.createElement(name)
  made.textContent = text
  return made
}

const show = (entries) => {
  list.replaceChildren(
    ...entries.map(({ p, h, u, t }) => {
      const link = document.createElement('a')
      link.href = u
      link.append(element('small', p), element('b', h), element('span', snippetOf(t, input.value)))
      const item = document.createElement('li')
      item.append(link)
      return item
    }),
  )
  none.hidden = entries.length > 0 || input.value.trim() === ''
}

const update = async () => {
  const question = input.value
  const entries = search(await loadIndex(), question)
  if (question === input.value) show(entries)
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
