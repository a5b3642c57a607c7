import { buildOpenApi, ERRORS } from '@subtext/contracts'
import { ROUTES } from './routes.ts'

/** The committed OpenAPI document: clients are generated from it, and reviews show changes of the API in it. */
export const PUBLISHED_OPENAPI = new URL('openapi.json', import.meta.url)

/** Returns the text of the document for a service at its default address. */
export const buildPublishedOpenApi = (): string =>
  `${JSON.stringify(buildOpenApi(ROUTES, 'http://127.0.0.1:3000'), null, 2)}\n`

/** The guide that contains the table of error codes between two markers. */
export const ERRORS_GUIDE = new URL('../../../docs/guides/errors.md', import.meta.url)

const BEGIN = '<!-- codes -->'
const END = '<!-- end of codes -->'

/** Returns the Markdown table of all error codes, including the markers. */
export const buildErrorTable = (): string =>
  [
    BEGIN,
    '| status | code | retryable | meaning |',
    '|---|---|---|---|',
    ...Object.entries(ERRORS).map(
      ([code, { status, retryable, message }]) =>
        `| ${status} | \`${code}\` | ${retryable ? 'yes' : 'no'} | ${message} |`,
    ),
    END,
  ].join('\n')

/** Returns the guide with an up-to-date table. */
export const updateErrorsGuide = (guide: string): string =>
  guide.slice(0, guide.indexOf(BEGIN)) + buildErrorTable() + guide.slice(guide.indexOf(END) + END.length)
