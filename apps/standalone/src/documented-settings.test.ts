import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ERROR_CODES, Warning } from '@subtext/contracts'
import { APP_SCHEMAS, ROOT } from './env.ts'

/** Names in capitals that the documents use and that are no settings of a process. */
const OTHER_NAMES = new Set<string>([
  ...ERROR_CODES,
  ...Warning.shape.code.options,
  // Read by the clients.
  ...['SUBTEXT_API_KEY', 'SUBTEXT_API_BASE', 'SERVICE_API_KEY'],
  // Codes of errors that occur in the clients.
  ...['CONNECTION_ERROR', 'INVALID_RESPONSE', 'INVALID_SIGNATURE'],
  // Of n8n, and of a reader's own account at Slack.
  ...['N8N_CUSTOM_EXTENSIONS', 'SLACK_URL'],
  // Read by `npm start` and its commands, before they read the others.
  'SUBTEXT_DATA_DIR',
  // Connection strings of an operator who restores a backup or rotates secrets.
  ...['ADMIN_URL', 'RESTORED_URL'],
  // An app of the video platform.
  'ANDROID_REEL',
  // Of Node.js and of terminals.
  ...['NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS', 'NO_COLOR', 'FORCE_COLOR'],
  // Of a server for language models.
  'OLLAMA_CONTEXT_LENGTH',
])

/** The compose file and the manifests have variables and secrets of their own. */
const deployment = ['docker', 'k8s']
  .flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))
  .join('\n')
const isOther = (name: string): boolean => OTHER_NAMES.has(name) || new RegExp(`\\b${name}\\b`).test(deployment)

const settings = new Set(Object.values(APP_SCHEMAS).flatMap((schema) => Object.keys(schema.shape)))

const documents = ['README.md', 'docs/operating', 'docs/guides'].flatMap((path) =>
  path.endsWith('.md')
    ? [path]
    : readdirSync(join(ROOT, path))
        .filter((name) => name.endsWith('.md'))
        .map((name) => join(path, name)),
)
const named = documents.flatMap((path) =>
  [...readFileSync(join(ROOT, path), 'utf8').matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`]*)?`/g)].map(
    ([, name = '']) => ({ path, name }),
  ),
)

test('the documents name settings', () => {
  expect(named.filter(({ name }) => settings.has(name)).length).toBeGreaterThan(20)
})

test('every setting that a document names exists', () => {
  expect(named.filter(({ name }) => !settings.has(name) && !isOther(name))).toEqual([])
})
