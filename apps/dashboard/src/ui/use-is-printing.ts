import { useSyncExternalStore } from 'react'

let isPrinting = false

/** `beforeprint` comes in time for the pages that are printed; a media query changes when they have been counted. */
function subscribe(listener: () => void): () => void {
  const ended = new AbortController()
  const set = (next: boolean) => () => {
    isPrinting = next
    listener()
  }
  addEventListener('beforeprint', set(true), ended)
  addEventListener('afterprint', set(false), ended)
  return () => ended.abort()
}

/** Whether the page is being printed, so that it shows what can otherwise be scrolled to. */
export const useIsPrinting = (): boolean => useSyncExternalStore(subscribe, () => isPrinting)
