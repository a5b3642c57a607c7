import Moon from 'virtual:icons/moon'
import Sun from 'virtual:icons/sun'
import { useSyncExternalStore } from 'react'

export const isDarkTheme = (): boolean => document.documentElement.classList.contains('dark')

/** Calls `onChange` when the theme may have changed, here or by `theme.js`. Returns a function that ends this. */
function watchTheme(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange)
  observer.observe(document.documentElement, { attributeFilter: ['class'] })
  return () => observer.disconnect()
}

/** Switches between light and dark, and remembers the choice in this browser. Until then, the theme is that of the system. */
export function ThemeSwitch() {
  const dark = useSyncExternalStore(watchTheme, isDarkTheme)
  const change = () => {
    localStorage.setItem('theme', dark ? 'light' : 'dark')
    document.documentElement.classList.toggle('dark', !dark)
  }
  return (
    <button
      type="button"
      onClick={change}
      aria-label={dark ? 'Use the light theme' : 'Use the dark theme'}
      className="grid size-8 place-items-center rounded-md text-muted hover:text-ink"
    >
      {dark ? <Sun className="size-4" aria-hidden="true" /> : <Moon className="size-4" aria-hidden="true" />}
    </button>
  )
}
