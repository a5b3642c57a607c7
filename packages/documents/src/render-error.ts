export type RenderFailure = 'busy' | 'timeout' | 'memory' | 'failed'

const MESSAGES: Record<RenderFailure, string> = {
  busy: 'As many documents as allowed are being rendered.',
  timeout: 'The document took too long to render.',
  memory: 'The document needs more memory than a render may use.',
  failed: 'The document could not be rendered.',
}

/** Why a document was not rendered. `busy` passes; `timeout` and `memory` are the limits; `failed` is a fault of ours. */
export class RenderError extends Error {
  readonly failure: RenderFailure

  constructor(failure: RenderFailure, detail?: string, options?: ErrorOptions) {
    super(detail === undefined ? MESSAGES[failure] : `${MESSAGES[failure]} ${detail}`, options)
    this.failure = failure
  }
}
