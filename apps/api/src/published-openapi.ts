import { buildOpenApi, ERRORS } from '@subtext/contracts'
import { ROUTES } from './routes.ts'

/** The committed OpenAPI document: what clients are generated from, and where a change of the interface shows in review. */
export const PUBLISHED_OPENAPI = new URL('openapi.json', import.meta.url)

/** Text of the document for a service at its default address. */
export const buildPublishedOpenApi = (): string =>
  `${JSON.stringify(buildOpenApi(ROUTES, 'http://127.0.0.1:3000'), null, 2)}\n`

/** The guide that has the table of codes between its two marks. */
export const ERRORS_GUIDE = new URL('../../../docs/guides/errors.md', import.meta.url)

const BEGIN = '<!-- codes -->'
const END = '<!-- end of codes -->'

/** Every code as a row of a Markdown table, between the marks. */
export const buildErrorTable = (): string =>
  [
    BEGIN,
    '| status | code | try again | meaning |',
    '|---|---|---|---|',
    ...Object.entries(ERRORS).map(
      ([code, { status, retryable, message }]) =>
        `| ${status} | \`${code}\` | ${retryable ? 'yes' : 'no'} | ${message} |`,
    ),
    END,
  ].join('\n')

/** The guide with the table of today. */
export const updateErrorsGuide = (guide: string): string =>
  guide.slice(0, guide.indexOf(BEGIN)) + buildErrorTable() + guide.slice(guide.indexOf(END) + END.length)
