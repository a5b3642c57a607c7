import type { z } from 'zod'
import { APP_SCHEMAS } from './env.ts'

const HEADER = `# Settings of Subtext. Copy this file to \`.env\` and uncomment what you change. The values shown are the defaults.
# Without DATABASE_URL and REDIS_URL, \`npm start\` runs an embedded Postgres and Redis with their data in \`.data/\` (or SUBTEXT_DATA_DIR).
`

/** The settings that an installation for others needs first. */
const FIRST = ['PUBLIC_BASE_URL', 'DATABASE_URL', 'REDIS_URL', 'WEBHOOK_SECRET_KEY', 'ANTHROPIC_API_KEY']
const FIRST_HEADING = '## Set these first.\n'
const OTHERS_HEADING = '## All others, which have defaults or may be missing.\n'

/**
 * Returns the text of `.env.example`: every setting of every process, with its description and default, those that matter first
 * before the others. Settings of one family, such as one for each plan, share an entry.
 */
function buildEnvExample(): string {
  const users = new Map<string, { schema: z.ZodType; apps: string[] }>()
  for (const [app, schema] of Object.entries(APP_SCHEMAS)) {
    for (const [name, field] of Object.entries(schema.shape)) {
      const schema = field as z.ZodType
      const entry = String(schema.meta()?.family ?? name)
      users.set(entry, { schema, apps: [...new Set([...(users.get(entry)?.apps ?? []), app])] })
    }
  }
  const entryOf = (name: string): string => {
    const { schema, apps } = users.get(name) ?? { schema: undefined, apps: [] }
    if (!schema) throw new Error(`There is no setting ${name}.`)
    const everyone = apps.length === Object.keys(APP_SCHEMAS).length
    const value = name.includes('<') ? '' : defaultOf(schema)
    return `# ${schema.description ?? ''}${everyone ? '' : ` (${apps.join(', ')})`}\n# ${name}=${value}\n`
  }
  const others = [...users.keys()].filter((name) => !FIRST.includes(name))
  return [HEADER, FIRST_HEADING, ...FIRST.map(entryOf), OTHERS_HEADING, ...others.map(entryOf)].join('\n')
}

export const GENERATED: Record<string, () => string> = { '.env.example': buildEnvExample }

/** Returns the default of a setting as it was declared: defaults are the outermost layer of a schema. */
function defaultOf(schema: z.ZodType): string {
  const { def } = schema as { def?: { defaultValue?: unknown } }
  return def?.defaultValue === undefined ? '' : String(def.defaultValue)
}
