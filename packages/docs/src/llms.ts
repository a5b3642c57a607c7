import { CHANGELOG_PATH, DOCS_PATH, ERRORS_PATH, GUIDES_PATH, OPENAPI_PATH } from './paths.ts'
import type { Guide } from './read-guides.ts'
import type { Reference } from './reference/operations.ts'

/** Returns the text of `/llms.txt` (https://llmstxt.org): the available documentation, as links to Markdown. */
export const writeLlmsIndex = ({ title, summary, server }: Reference, guides: Guide[], origin: string): string =>
  `# ${title}

> ${summary} An asynchronous REST API: submit a video, follow its job, fetch the result in any format.

The base URL is ${server}. Requests carry an API key: \`Authorization: Bearer sk_...\`. The whole documentation in one file
is at ${origin}/llms-full.txt.

## Guides

${guides.map((guide) => `- [${guide.title}](${origin}${GUIDES_PATH}/${guide.name}.md): ${guide.description}`).join('\n')}

## Reference

- [API reference](${origin}${DOCS_PATH}/reference.md): every operation with its parameters, fields, responses and errors
- [OpenAPI document](${origin}${OPENAPI_PATH}): the same for programs, with schemas and examples
- [Error codes](${origin}${ERRORS_PATH}.md): every code with its cause and what to do about it

## Optional

- [Changelog](${origin}${CHANGELOG_PATH}.md): what has changed in each version
`
