import { z } from 'zod'
import { BUILT_IN_NAMES } from './built-in-templates.ts'
import { requiresPlanFor } from './plans.ts'

export const MAX_TEMPLATES_OF_JOB = 5
const NAME = '[a-z0-9][a-z0-9_-]{0,63}'
const MAX_VERSION_DIGITS = 6
const REFERENCE = `${NAME}(?:@[1-9][0-9]{0,${MAX_VERSION_DIGITS - 1}})?`

export const TemplateName = z.string().regex(new RegExp(`^${NAME}$`), {
  error: 'Must consist of 1 to 64 of a-z, 0-9, `_` and `-`, and begin with a letter or digit.',
})

export const TemplateReference = z.string().regex(new RegExp(`^${REFERENCE}$`), {
  error: 'Must be the name of a template, such as `quotes`, or one of its versions, such as `quotes@1`.',
})

export interface TemplateAddress {
  name: string
  /** Null for the latest. */
  version: number | null
}

/** Parses `name` or `name@version`. Returns null for anything else. */
export function parseTemplateReference(reference: string): TemplateAddress | null {
  if (!TemplateReference.safeParse(reference).success) return null
  const [name = '', version] = reference.split('@')
  return { name, version: version === undefined ? null : Number(version) }
}

/** The templates that a job fills, without duplicates. */
export const TemplateReferences = z
  .array(TemplateReference)
  .min(1)
  .max(MAX_TEMPLATES_OF_JOB)
  .superRefine((references, { addIssue }) => {
    const first = new Map<string, string>()
    for (const [index, reference] of references.entries()) {
      const name = reference.split('@')[0] ?? ''
      const earlier = first.get(name) ?? reference
      first.set(name, earlier)
      if (earlier === reference) continue
      addIssue({
        code: 'custom',
        path: [index],
        message: `Must not be a second version of \`${name}\`. Name one of them.`,
      })
    }
  })
  .transform((references) => [...new Set(references)])
  .meta({
    description: `Forms to be filled from the transcript, with evidence for every value: \`name\` for the latest version of a template, or \`name@2\`. The result has them in \`extractions\`. Built in: \`${BUILT_IN_NAMES.join('`, `')}\` (${requiresPlanFor('built_in_templates')}) Those of your account: ${requiresPlanFor('templates')}`,
  })

/** A version of a template that a job is bound to, whatever becomes of the name. */
export interface PinnedTemplate {
  /** Null for a built-in one. */
  id: string | null
  name: string
  version: number
}
