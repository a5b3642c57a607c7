import type { InfographicFormat } from '@subtext/contracts'

/** The media type of each format. */
export const INFOGRAPHIC_TYPES: Record<InfographicFormat, string> = { png: 'image/png', svg: 'image/svg+xml' }
