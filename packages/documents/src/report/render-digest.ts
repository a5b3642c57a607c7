import { layOutDigest, type RenderableDigest, selectLabels, titleOfDigest } from '@subtext/render'
import type { RenderedDocument } from '../render-document.ts'
import type { Renderer, RenderOptions } from '../renderer.ts'
import { toTypesetLanguage } from './languages.ts'
import { dateParts } from './report-data.ts'
import { createReportSyntax, createTexts } from './report-syntax.ts'

const DATE_CHARS = 'yyyy-mm-dd'.length

/** Returns what the template `report` shows of a digest: no picture and no transcript. */
function describeDigest(digest: RenderableDigest): object {
  const language = toTypesetLanguage(digest.language)
  const labels = selectLabels(digest.language)
  const toText = createTexts(language.dir)
  const { videos, failed } = digest.coverage
  const syntax = createReportSyntax({ direction: language.dir, hasLine: () => false })
  return {
    paper: 'a4',
    language,
    speech: language,
    title: toText(titleOfDigest(digest)),
    channel: '',
    url: '',
    duration: null,
    picture: false,
    completed: dateParts(new Date(digest.created_at)),
    facts: [
      { label: labels.videos, value: String(videos) },
      ...(failed > 0 ? [{ label: labels.notProcessed, value: String(failed) }] : []),
      { label: labels.created, value: digest.created_at.slice(0, DATE_CHARS) },
    ],
    labels: { contents: labels.contents, video: labels.video, transcript: labels.transcript, colon: labels.colon },
    truncated: null,
    blocks: JSON.parse(syntax.join(layOutDigest(syntax, digest))),
    transcript: null,
  }
}

async function* writeDigest(digest: RenderableDigest): AsyncGenerator<string> {
  yield JSON.stringify(describeDigest(digest))
}

/** Renders a digest as a PDF. Rejects like `Renderer.render`. */
export const renderDigestPdf = (
  renderer: Renderer,
  digest: RenderableDigest,
  options?: RenderOptions,
): Promise<RenderedDocument> =>
  renderer.render({ template: 'report', format: 'pdf', data: writeDigest(digest), files: {} }, options)
