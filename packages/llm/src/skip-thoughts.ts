/** Tags around thoughts that a server does not separate from the answer. */
const OPEN = /^\s{0,50}<(think|thinking|thought|reasoning)>/i
const MIGHT_OPEN = /^\s{0,50}(?:<[a-z]{0,9}>?)?$/i
const CLOSE = /<\/(?:think|thinking|thought|reasoning)>\s*/i
const EACH_CLOSE = new RegExp(CLOSE, 'gi')
/** Length of the longest closing tag. */
const MAX_CLOSE = 12

/** Returns an answer without the thoughts before it. Servers may strip the opening tag and leave the closing one. */
export function skipThoughts(text: string): string {
  const last = [...text.matchAll(EACH_CLOSE)].at(-1)
  if (last) return text.slice(last.index + last[0].length)
  return OPEN.test(text) ? '' : text
}

/** Returns a function that passes on the pieces of an answer without the thoughts before it. */
export function createThoughtFilter(onText: (text: string) => void): (piece: string) => void {
  let held = ''
  let state: 'undecided' | 'thinking' | 'between' | 'answering' = 'undecided'
  return (piece) => {
    if (state === 'answering') return onText(piece)
    held += piece
    if (state === 'undecided' && !MIGHT_OPEN.test(held)) state = OPEN.test(held) ? 'thinking' : 'answering'
    if (state === 'thinking') {
      const close = CLOSE.exec(held)
      // While thoughts continue, only their end is kept, because it may be the beginning of the closing tag.
      held = close ? held.slice(close.index + close[0].length) : held.slice(-MAX_CLOSE)
      if (close) state = 'between'
    }
    if (state === 'between') {
      held = held.trimStart()
      if (held !== '') state = 'answering'
    }
    if (state !== 'answering') return
    onText(held)
    held = ''
  }
}
