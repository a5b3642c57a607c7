import type { InfographicFormat } from '@subtext/contracts'
import { escapeMarkup } from '@subtext/render'
import { RenderError } from '../render-error.ts'
import type { Renderer, RenderOptions } from '../renderer.ts'
import { describeInfographic } from './describe-infographic.ts'
import { buildInfographicData, type Infographic, shortLinkOf } from './infographic-data.ts'
import { drawQrCode } from './qr-code.ts'

/** Changes whenever the same infographic would look different. */
const INFOGRAPHIC_DESIGN = '4'

/** Returns a file name that is unique to the picture. */
export const nameInfographicFile = (
  { layout, theme }: Pick<Infographic, 'layout' | 'theme'>,
  format: InfographicFormat,
): string => `infographic-${layout}-${theme}-${INFOGRAPHIC_DESIGN}.${format}`

/** Dark on light, whatever the theme, because some scanners recognize no other codes. */
const CODE_COLOR = '#1b1a1f'

/** Renders an infographic as a picture. Rejects as the renderer does. */
export async function renderInfographic(
  renderer: Pick<Renderer, 'render'>,
  infographic: Infographic,
  format: InfographicFormat,
  options?: RenderOptions,
): Promise<Buffer> {
  const document = await renderer.render(
    {
      template: 'infographic',
      data: [JSON.stringify(buildInfographicData(infographic))],
      files: { 'qr.svg': Buffer.from(drawQrCode(shortLinkOf(infographic.video), CODE_COLOR)) },
      format,
    },
    options,
  )
  if (document.pages !== 1) throw new RenderError('failed', 'The infographic has more than one page.')
  return format === 'svg' ? addDescription(document.bytes, infographic) : document.bytes
}

/** Adds the text alternative, which screen readers read. */
function addDescription(svg: Buffer, { content, video }: Infographic): Buffer {
  const text = svg.toString()
  const at = text.indexOf('>')
  const description = escapeMarkup(describeInfographic(content, video))
  return Buffer.from(`${text.slice(0, at)} role="img"><title>${description}</title>${text.slice(at + 1)}`)
}
