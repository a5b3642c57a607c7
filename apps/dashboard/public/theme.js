// Runs before the first paint, so that a page never flashes in the other theme.
const chosen = localStorage.getItem('theme')
const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.classList.toggle('dark', isDark)
