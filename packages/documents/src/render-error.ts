/** Why a document was not rendered. */
export const RENDER_FAILURES = ['busy', 'timeout', 'memory', 'unsupported', 'failed'] as const
export type RenderFailure = (typeof RENDER_FAILURES)[number]

const MESSAGES: Record<RenderFailure, string> = {
  busy: 'As many documents as allowed are being rendered.',
  timeout: 'The document took too long to render.',
  memory: 'The document needs more memory than a render may use.',
  unsupported: 'Documents cannot be rendered on this platform.',
  failed: 'The document could not be rendered.',
}

/**
 * Thrown when a document was not rendered. `busy` passes; `timeout` and `memory` are the limits; `unsupported` lasts; `failed`
 * is an error in the program.
 */
export class RenderError extends Error {
  readonly failure: RenderFailure

  constructor(failure: RenderFailure, detail?: string, options?: ErrorOptions) {
    super(detail === undefined ? MESSAGES[failure] : `${MESSAGES[failure]} ${detail}`, options)
    this.name = 'RenderError'
    this.failure = failure
  }
}
