import type { BUILT_IN_TEMPLATES, BuiltInName, Template } from '@subtext/contracts'
import type { OwnTemplate } from '@subtext/core/templates'

export const presentTemplate = (template: OwnTemplate): Template => ({
  template_id: template.id,
  name: template.name,
  version: template.version,
  versions: template.versions,
  built_in: false,
  ...(template.description !== null && { description: template.description }),
  ...(template.instructions !== null && { instructions: template.instructions }),
  schema: template.schema,
  created_at: template.createdAt.toISOString(),
})

export const presentBuiltIn = (
  name: BuiltInName,
  { description, schema }: (typeof BUILT_IN_TEMPLATES)[BuiltInName],
): Template => ({ name, version: 1, versions: 1, built_in: true, description, schema })
