import { useEffect, useState } from 'react'

/** Returns a value once it has not changed for a while, so that a request is not sent for each letter. */
export function useDelayed<T>(value: T, delayMs = 300): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return settled
}
