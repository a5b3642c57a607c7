import { z } from 'zod'
import { noUpgrade, type Upgrade } from '../define-route.ts'
import type { ValidationIssue } from '../errors.ts'
import { SummaryMode } from '../vocabulary.ts'
import { SubmitVideoFields, VideoUrl } from './submit-video.ts'

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const conflict = (path: string, replacement: string): ValidationIssue => ({
  path,
  code: 'conflicting_fields',
  message: `\`${path}\` is the deprecated name of \`${replacement}\`, and the two have different values. Send only \`${replacement}\`.`,
})

/** The deprecated names that `renameLegacyFields` understands, with the paths that replace them. */
export const LEGACY_FIELDS = {
  video_url: 'url',
  summary_mode: 'options.summary_modes',
  summary_type: 'options.summary_modes',
} as const

const deprecatedMeta = (name: keyof typeof LEGACY_FIELDS) => ({
  deprecated: true,
  description: `Deprecated name of \`${LEGACY_FIELDS[name]}\`, accepted until v2.0. Responses then carry a \`Deprecation\` header and a warning.`,
})

const LegacyModes = {
  summary_mode: SummaryMode.optional().meta(deprecatedMeta('summary_mode')),
  summary_type: SummaryMode.optional().meta(deprecatedMeta('summary_type')),
}

/**
 * Describes the body of a submission before `renameLegacyFields`, for the OpenAPI document. The two forms exclude each other,
 * and each requires the field that names the video, so that generated types require it, too.
 */
export const SubmitVideoRequest = z.xor([
  SubmitVideoFields.omit({ source: true }).required({ url: true }).extend(LegacyModes).meta({ id: 'SubmitVideo' }),
  SubmitVideoFields.omit({ url: true }).required({ source: true }).meta({ id: 'SubmitSourceVideo' }),
  SubmitVideoFields.omit({ source: true })
    .extend({ ...LegacyModes, video_url: VideoUrl.meta(deprecatedMeta('video_url')) })
    .meta({ id: 'LegacySubmitVideo', deprecated: true }),
])

/**
 * Renames deprecated fields of a submission: `video_url` (now `url`), `summary_mode` and `summary_type` (a single mode, now
 * `options.summary_modes`). Values are not validated here: an invalid one is moved as it is and refused later.
 */
export const renameLegacyFields: Upgrade = (input) => {
  if (!isObject(input)) return noUpgrade(input)
  const { video_url, summary_mode, summary_type, ...body } = input
  // Null means that a field is absent, as `omitNulls` says for the names that the schemas know.
  const isSent = (name: keyof typeof LEGACY_FIELDS): boolean => Object.hasOwn(input, name) && input[name] !== null
  const deprecated: string[] = []
  const issues: ValidationIssue[] = []
  const renamed = new Map<string, string>()

  if (isSent('video_url')) {
    deprecated.push('video_url')
    if (!Object.hasOwn(body, 'url') || body.url === null) {
      body.url = video_url
      renamed.set('url', 'video_url')
    } else if (body.url !== video_url) issues.push(conflict('video_url', 'url'))
  }
  for (const [name, mode] of [
    ['summary_mode', summary_mode],
    ['summary_type', summary_type],
  ] as const) {
    if (!isSent(name)) continue
    deprecated.push(name)
    if (body.options !== undefined && !isObject(body.options)) continue
    const options = { ...body.options }
    if (!Object.hasOwn(options, 'summary_modes')) {
      body.options = { ...options, summary_modes: [mode] }
      renamed.set('options.summary_modes.0', name)
    } else if (!isOnlyMode(options.summary_modes, mode)) issues.push(conflict(name, 'options.summary_modes'))
  }
  return { body, deprecated, issues, renamed }
}

const isOnlyMode = (modes: unknown, mode: unknown): boolean =>
  Array.isArray(modes) && modes.length > 0 && modes.every((each) => each === mode)
