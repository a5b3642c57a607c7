export { describeInfographic } from './infographic/describe-infographic.ts'
export type { Infographic } from './infographic/infographic-data.ts'
export { nameInfographicFile, renderInfographic } from './infographic/render-infographic.ts'
export { createRenderMetrics } from './metrics.ts'
export type { RenderedDocument, RenderRequest } from './render-document.ts'
export { RenderError, type RenderFailure } from './render-error.ts'
export {
  createRenderer,
  type ObserveRender,
  type Renderer,
  type RendererOptions,
  type RenderOptions,
} from './renderer.ts'
export { REPORT_VERSION, type Report, renderReport } from './report/render-report.ts'
export type { ReportOptions } from './report/report-data.ts'
