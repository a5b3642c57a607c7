// Runs before the first paint, so that a page never flashes in the other theme. Without a choice, the system decides at any moment.
{
  const system = matchMedia('(prefers-color-scheme: dark)')
  const apply = () => {
    const chosen = localStorage.getItem('theme')
    const isDark = chosen === 'dark' || (chosen !== 'light' && system.matches)
    document.documentElement.classList.toggle('dark', isDark)
  }
  apply()
  system.addEventListener('change', apply)
  // Another tab may choose a theme.
  addEventListener('storage', apply)
}
