import { useCallback, useState } from 'react'

const SHOWN_MS = 2_000

/** Returns a function that copies a text, and the outcome. Browsers may refuse it. */
export function useCopy(): { outcome: 'copied' | 'refused' | null; copy: (text: string) => Promise<boolean> } {
  const [outcome, setOutcome] = useState<'copied' | 'refused' | null>(null)
  const copy = useCallback(async (text: string) => {
    const isCopied = await write(text)
    setOutcome(isCopied ? 'copied' : 'refused')
    if (isCopied) setTimeout(() => setOutcome(null), SHOWN_MS)
    return isCopied
  }, [])
  return { outcome, copy }
}

async function write(text: string): Promise<boolean> {
  // Undefined without a secure connection.
  const clipboard = navigator.clipboard as Clipboard | undefined
  try {
    await clipboard?.writeText(text)
    return clipboard !== undefined
  } catch {
    return false
  }
}
