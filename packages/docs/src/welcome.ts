import { API_PREFIX } from '@subtext/contracts'
import { escapeMarkup } from '@subtext/render'
import { renderCode } from './markdown.ts'
import { type ListedSample, watchUrl } from './overview.ts'
import { DOCS_PATH, GUIDES_PATH, OPENAPI_PATH } from './paths.ts'

interface WelcomeInput {
  /** Origin of the service. */
  origin: string
  sample: ListedSample | undefined
  hasDashboard: boolean
}

interface Step {
  title: string
  code: string
}

const listSteps = ({ origin, sample, hasDashboard }: WelcomeInput): Step[] => [
  {
    title: hasDashboard
      ? `Create an API key at ${origin}/keys:`
      : 'Get an API key from the operator of this service, whose command is `admin create-key`:',
    code: 'KEY=sk_...',
  },
  {
    title: sample ? 'Submit a video. This one is a sample, served by the service itself:' : 'Submit a video:',
    code: `curl -s ${origin}${API_PREFIX}/videos/process \\
  -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
  -d '{"url":"${watchUrl(sample?.id ?? 'VIDEO_ID')}"}'`,
  },
  {
    title: 'Wait for the job, then read its result. JOB is the job_id of the response:',
    code: `curl -s "${origin}${API_PREFIX}/videos/status/$JOB?wait=30" \\
  -H "Authorization: Bearer $KEY"
curl -s "${origin}${API_PREFIX}/videos/result/$JOB?format=markdown" \\
  -H "Authorization: Bearer $KEY"`,
  },
]

const LINKS: [path: string, title: string, about: string][] = [
  [DOCS_PATH, 'API reference', 'Every operation, and requests from the page'],
  [`${GUIDES_PATH}/quick-start`, 'Quick start', 'From a key to a transcript'],
  [OPENAPI_PATH, 'OpenAPI document', 'For clients and tools'],
  ['/llms.txt', 'llms.txt', 'The documentation for language models'],
]

const GREETING = 'Subtext is running.'
const ABOUT = 'It turns public videos into transcripts and summaries, using the captions they already have.'

/** Returns what a browser shows at the root of the service. */
export const writeWelcomeHtml = (input: WelcomeInput): string => `<h1>${GREETING}</h1>
<p class="lead">${ABOUT}</p>
<h2>Next steps</h2>
<ol class="steps">
${listSteps(input)
  .map(({ title, code }) => `<li><p>${escapeMarkup(title)}</p>${renderCode(code, 'bash')}</li>`)
  .join('\n')}
</ol>
<ul class="cards">
${LINKS.map(([path, title, about]) => `<li><a href="${path}"><b>${title}</b> <span>${about}</span></a></li>`).join('\n')}
</ul>`

/** Returns the same as plain text, for terminals. */
export const writeWelcomeText = (input: WelcomeInput): string =>
  [
    `${GREETING} ${ABOUT}`,
    ...listSteps(input).map(({ title, code }, index) => `${index + 1}. ${title}\n\n${code.replace(/^/gm, '   ')}`),
    LINKS.map(([path, title]) => `${title}: ${input.origin}${path}`).join('\n'),
    '',
  ].join('\n\n')

/** Returns the same as data. */
export const buildWelcomeData = (input: WelcomeInput) => ({
  name: 'Subtext',
  description: ABOUT,
  next_steps: listSteps(input).map(({ title, code }) => ({ title, command: code })),
  links: LINKS.map(([path, title]) => ({ title, url: `${input.origin}${path}` })),
})
