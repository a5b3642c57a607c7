import {
  BUILT_IN_TEMPLATES,
  type FormSchema,
  isBuiltIn,
  type PinnedTemplate,
  parseTemplateReference,
  type TemplateAddress,
  type ValidationIssue,
} from '@subtext/contracts'
import type { Sql } from '@subtext/db'
import { findLatestVersions, findVersion } from './templates-sql.ts'

const BUILT_IN_VERSION = 1

/** The templates that a request names, and where. */
export interface TemplateRequest {
  references: readonly string[]
  /** Returns the path in the request of one of them. */
  pathOf(index: number): string
}

export interface PinnedTemplates {
  templates: PinnedTemplate[]
  issues: ValidationIssue[]
}

const parse = (reference: string): TemplateAddress =>
  parseTemplateReference(reference) ?? { name: reference, version: 0 }

/** Binds the templates that requests of an account name to their versions. One that does not exist is an issue. */
export async function pinTemplates(
  sql: Sql,
  userId: string,
  requests: readonly TemplateRequest[],
): Promise<PinnedTemplates[]> {
  const own = new Set(
    requests.flatMap(({ references }) => references.map((each) => parse(each).name).filter((name) => !isBuiltIn(name))),
  )
  const found = own.size > 0 ? await findLatestVersions(sql, userId, [...own]) : []
  const latest = new Map(found.map((template) => [template.name, template]))
  return requests.map(({ references, pathOf }) => {
    const pinned: PinnedTemplates = { templates: [], issues: [] }
    for (const [index, reference] of references.entries()) {
      const template = pin(parse(reference), latest)
      if (template) pinned.templates.push(template)
      else pinned.issues.push(buildIssue(pathOf(index), reference))
    }
    return pinned
  })
}

function pin({ name, version }: TemplateAddress, latest: ReadonlyMap<string, PinnedTemplate>): PinnedTemplate | null {
  const known = isBuiltIn(name) ? { id: null, name, version: BUILT_IN_VERSION } : latest.get(name)
  if (!known || (version !== null && (version < 1 || version > known.version))) return null
  return { ...known, version: version ?? known.version }
}

const buildIssue = (path: string, reference: string): ValidationIssue => ({
  path,
  message: `There is no template \`${reference}\`. See \`GET /templates/\`.`,
  code: 'unknown_template',
})

/** What a worker needs of a template. */
export interface TemplateDefinition {
  instructions: string | null
  schema: FormSchema
}

/** Returns the definition of a template to which a job is bound. Null if it was deleted so long ago that it is gone. */
export async function findDefinition(
  sql: Sql,
  { id, name, version }: PinnedTemplate,
): Promise<TemplateDefinition | null> {
  if (id !== null) return findVersion(sql, id, version)
  return isBuiltIn(name) ? { instructions: null, schema: BUILT_IN_TEMPLATES[name].schema } : null
}
