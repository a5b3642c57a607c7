import type { SVGProps } from 'react'

/**
 * Makes a component of the inner SVG of an icon of Lucide. It takes its color from the text, and its size from its class.
 * @public `virtual:icons/...` imports it.
 */
export const createIcon = (body: string) => (props: SVGProps<SVGSVGElement>) => (
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the icon is part of the build
  <svg width="24" height="24" viewBox="0 0 24 24" fill="none" {...props} dangerouslySetInnerHTML={{ __html: body }} />
)
