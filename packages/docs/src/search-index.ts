import type { DocsPage } from './layout.ts'
import { DOCS_PATH } from './paths.ts'
import type { Field } from './reference/fields.ts'
import type { Reference, ReferenceOperation } from './reference/operations.ts'

/** A place that a search can find. The names are short because the index is sent to the browser. */
interface SearchEntry {
  /** Title of the page. */
  p: string
  /** Heading. */
  h: string
  /** Address. */
  u: string
  /** Text. */
  t: string
}

const namesOf = (fields: Field[]): string[] =>
  fields.flatMap(({ name, forms }) => [name, ...forms.flatMap((form) => namesOf(form.fields))])

function describe({ method, path, description, parameters, body }: ReferenceOperation): string {
  const names = [...namesOf(parameters), ...(body?.forms ?? []).flatMap(({ fields }) => namesOf(fields))]
  return [`${method} ${path}`, description.replaceAll('`', ''), ...new Set(names)].join(' ')
}

const indexPage = ({ title, path, sections }: DocsPage): SearchEntry[] =>
  sections.map(({ heading, id, level, text }) => ({
    p: title,
    h: heading,
    u: level === 1 ? path : `${path}#${id}`,
    t: text.replace(/\s+/g, ' ').trim(),
  }))

/** Returns the JSON text of everything that can be searched for: the sections of pages, and the operations. */
export function buildSearchIndex(pages: DocsPage[], { groups }: Reference): string {
  const operations = groups.flatMap((group) =>
    group.operations.map((operation) => ({
      p: `Reference: ${group.name}`,
      h: operation.summary.replaceAll('`', ''),
      u: `${DOCS_PATH}#${operation.id}`,
      t: describe(operation),
    })),
  )
  return JSON.stringify([...operations, ...pages.flatMap(indexPage)])
}
