const root = document.documentElement

const isDark = () =>
  (root.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark'

for (const button of document.querySelectorAll('[data-switch-theme]')) {
  button.hidden = false
  button.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark'
    localStorage.setItem('theme', root.dataset.theme)
  })
}

for (const block of document.querySelectorAll('.code')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('code').textContent)
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 2_000)
  })
  block.append(button)
}

// Opening a sample in one language opens all of them in it.
const showLanguage = (name) => {
  for (const details of document.querySelectorAll('.language')) details.open = details.dataset.language === name
}
for (const details of document.querySelectorAll('.language')) {
  details.querySelector('summary').addEventListener('click', (event) => {
    event.preventDefault()
    const before = details.getBoundingClientRect().top
    showLanguage(details.dataset.language)
    localStorage.setItem('docs-language', details.dataset.language)
    // What was clicked stays where it is, although samples above it have another length now.
    scrollBy({ top: details.getBoundingClientRect().top - before, behavior: 'instant' })
  })
}
const language = localStorage.getItem('docs-language')
if (language && document.querySelector(`.language[data-language="${CSS.escape(language)}"]`)) showLanguage(language)

// On small screens the navigation covers the page.
const navigation = document.querySelector('#navigation')
navigation?.addEventListener('click', ({ target }) => {
  if (target.closest('a') && navigation.matches(':popover-open')) navigation.hidePopover()
})
