import type { Metrics } from '@subtext/runtime'
import { type ObserveRender, RENDER_OUTCOMES, type Renderer } from './renderer.ts'

/** Creates the metrics of a renderer. */
export function createRenderMetrics({ duration, gauge }: Pick<Metrics, 'duration' | 'gauge'>) {
  const active = gauge('subtext_renders_in_progress', 'Documents that are being rendered, or wait for their turn.', {})
  const observe: ObserveRender = duration(
    'subtext_render_seconds',
    'Duration of rendering a document. `busy` was refused because too many waited for their turn, or for too long; `timeout` (of CPU time) and `memory` are the limits; `unsupported`: there is no Typst compiler for the platform.',
    { template: 'name of the template', outcome: RENDER_OUTCOMES },
  )
  return { observe, watch: (renderer: Renderer) => active(async () => [[{}, renderer.active()]]) }
}
