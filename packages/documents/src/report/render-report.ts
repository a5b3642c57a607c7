import type { RenderedDocument } from '../render-document.ts'
import { RenderError } from '../render-error.ts'
import type { Renderer, RenderOptions } from '../renderer.ts'
import { type ReportData, writeReportData } from './report-data.ts'

export interface Report extends Omit<ReportData, 'picture'> {
  /** Picture of the video: a JPEG or PNG. Any other file is ignored, and a placeholder is drawn. */
  thumbnail?: Uint8Array | null
}

/** Raise it whenever the same report comes out different: kept copies become stale. */
export const REPORT_VERSION = 4

const JPEG = [0xff, 0xd8, 0xff]
const PNG = [0x89, 0x50, 0x4e, 0x47]

const startsWith = (bytes: Uint8Array, signature: number[]): boolean =>
  signature.every((byte, index) => bytes[index] === byte)

function nameOf(image: Uint8Array): string | undefined {
  if (startsWith(image, JPEG)) return 'thumbnail.jpg'
  return startsWith(image, PNG) ? 'thumbnail.png' : undefined
}

/** Renders a result as a PDF. Rejects like `Renderer.render`. */
export async function renderReport(
  renderer: Renderer,
  { thumbnail, ...report }: Report,
  options?: RenderOptions,
): Promise<RenderedDocument> {
  const picture = thumbnail ? nameOf(thumbnail) : undefined
  const render = (data: ReportData, files: Record<string, Uint8Array>) =>
    renderer.render({ template: 'report', format: 'pdf', data: writeReportData(data), files }, options)
  if (!thumbnail || picture === undefined) return render(report, {})
  try {
    return await render({ ...report, picture }, { [picture]: thumbnail })
  } catch (error) {
    // A picture that cannot be decoded must not cost the document.
    if (!(error instanceof RenderError && error.failure === 'failed')) throw error
    return render(report, {})
  }
}
