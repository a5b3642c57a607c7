export type { RenderedDocument, RenderRequest } from './render-document.ts'
export { RenderError, type RenderFailure } from './render-error.ts'
export { createRenderer, type Renderer, type RendererOptions } from './renderer.ts'
