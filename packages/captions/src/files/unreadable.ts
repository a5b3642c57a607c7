import type { CaptionsProblem } from '@subtext/contracts'

/** Thrown for a caption file from which nothing can be read. `line` counts from 1. */
export class UnreadableCaptionsError extends Error {
  readonly reason: CaptionsProblem
  readonly line: number | undefined

  constructor(reason: CaptionsProblem, message: string, line?: number) {
    super(message)
    this.name = 'UnreadableCaptionsError'
    this.reason = reason
    this.line = line
  }
}
