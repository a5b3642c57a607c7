import Moon from 'virtual:icons/moon'
import Sun from 'virtual:icons/sun'
import { useState } from 'react'

export const isDarkTheme = (): boolean => document.documentElement.classList.contains('dark')

/** Switches between light and dark, and remembers the choice in this browser. The system decides until then. */
export function ThemeSwitch() {
  const [dark, setDark] = useState(isDarkTheme)
  const change = () => {
    document.documentElement.classList.toggle('dark', !dark)
    localStorage.setItem('theme', dark ? 'light' : 'dark')
    setDark(!dark)
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
