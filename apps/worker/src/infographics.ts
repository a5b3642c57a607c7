import { type Infographic, type Renderer, renderInfographic } from '@subtext/documents'
import { createSemaphore } from '@subtext/runtime'
import type { InfographicWriter } from '@subtext/summarize'
import type { CountInfographic } from './metrics.ts'

/** Writes and draws infographics. */
export interface Infographics {
  writer: InfographicWriter
  /** Draws a picture. Calls wait for each other: one picture is drawn at a time. */
  draw(infographic: Infographic, signal: AbortSignal): Promise<Buffer>
  count: CountInfographic
}

export function createInfographics(
  writer: InfographicWriter,
  renderer: Renderer,
  count: CountInfographic,
): Infographics {
  const turn = createSemaphore(1)
  return {
    writer,
    count,
    draw: (infographic, signal) => turn.run(() => renderInfographic(renderer, infographic, 'png', { signal }), signal),
  }
}
