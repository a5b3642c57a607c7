import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { isTyping } from './is-typing.ts'

export const LIBRARY_FIELD = 'library-search'

/** Opens the search over the library with the key `/`, where a page has no use of its own for it. */
export function useSearchKey(isSignedIn: boolean): void {
  const navigate = useNavigate()
  useEffect(() => {
    if (!isSignedIn) return
    const onKey = (event: KeyboardEvent) => {
      const isOwn = event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)
      if (event.key !== '/' || isOwn) return
      event.preventDefault()
      const field = document.getElementById(LIBRARY_FIELD)
      if (field) field.focus()
      else void navigate({ to: '/search' })
    }
    // Pages listen to the document, so they come first.
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [isSignedIn, navigate])
}
