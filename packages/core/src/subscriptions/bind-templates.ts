import type { JobOptions, ValidationIssue, VideoOptions } from '@subtext/contracts'
import type { Sql } from '@subtext/db'
import { bindTemplates } from '../jobs/submit.ts'
import { pinTemplates } from '../templates/index.ts'

/** Binds the templates that options name to their versions of today. One that does not exist is an issue. */
export async function bindOwnTemplates(
  sql: Sql,
  userId: string,
  options: VideoOptions,
): Promise<{ options: JobOptions; issues: ValidationIssue[] }> {
  const pathOf = (index: number): string => `options.templates.${index}`
  const [pinned] = await pinTemplates(sql, userId, [{ references: options.templates ?? [], pathOf }])
  return { options: bindTemplates(options, pinned?.templates ?? []), issues: pinned?.issues ?? [] }
}
