import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { DCLinter } from 'dclint'
import { parse } from 'yaml'
import { type Finding, findViolations } from '../finding.ts'
import { ROOT } from '../paths.ts'
import { listVariables, parseCompose, runsOurImage } from './compose.ts'
import { COMPOSE_POLICIES } from './compose-policies.ts'
import { DOCKERFILE, describeImage } from './dockerfile.ts'

const read = (name: string): string => readFileSync(join(ROOT, 'docker', name), 'utf8')
const COMPOSE = read('compose.yaml')
const EXAMPLE = parseEnv(read('.env.example')) as Record<string, string>
const VARIABLES = { ...EXAMPLE, POSTGRES_PASSWORD: 'p', GRAFANA_PASSWORD: 'g', WEBHOOK_SECRET_KEY: '0'.repeat(64) }
const image = describeImage(DOCKERFILE)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'subtext-compose-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Checks a compose file against the schema of the compose specification and the rules of a linter. */
async function lint(text: string): Promise<string[]> {
  const path = join(folder, 'compose.yaml')
  await writeFile(path, text)
  const linter = new DCLinter({ rules: {}, quiet: true, debug: false, exclude: [] })
  const results = linter.lintFiles([path], false) as { messages: { type: string; rule: string; message: string }[] }[]
  const errors = results.flatMap(({ messages }) => messages.filter(({ type }) => type === 'error'))
  return errors.map(({ rule, message }) => `${rule}: ${message}`)
}

const findProblems = (text: string): Finding[] =>
  findViolations({ file: parseCompose(text, VARIABLES), image }, COMPOSE_POLICIES)

test('the compose file is valid and violates no policy', async () => {
  expect(await lint(COMPOSE)).toEqual([])
  expect(findProblems(COMPOSE)).toEqual([])
})

test('a field that the compose specification does not know is reported', async () => {
  const [error] = await lint(COMPOSE.replace('read_only: true', 'readonly: true'))
  expect(error).toMatch(/^invalid-schema: /)
})

test.each<[policy: string, from: string, to: string]>([
  ['known-program', 'dist/worker/main.js', 'dist/worker/index.js'],
  ['known-settings', 'WORKER_LANES: high', 'WORKER_LANE: high'],
  ['valid-settings', 'WORKER_LANES: high', 'WORKER_LANES: urgent'],
  ['grace-period', 'stop_grace_period: 140s', 'stop_grace_period: 130s'],
  ['read-only', 'read_only: true\n  cap_drop', 'cap_drop'],
  ['memory-limit', 'mem_limit: 768m', 'mem_reservation: 768m'],
  ['production-settings', `WEBHOOK_HTTPS_ONLY: 'true'`, `WEBHOOK_HTTPS_ONLY: 'false'`],
  ['trusted-proxies', 'TRUST_PROXY_HOPS: ', 'SUBTEXT_VERSION: '],
  ['after-migration', 'service_completed_successfully', 'service_started'],
  [
    'one-build',
    '  worker:\n    <<: *process\n',
    '  worker:\n    <<: *process\n    build: { context: .., dockerfile: docker/Dockerfile }\n',
  ],
  ['proxies', '  HTTP_PROXY: ', '  SUBTEXT_VERSION: '],
  ['capabilities', 'cap_drop: [ALL]', 'cap_drop: [NET_RAW]'],
  ['no-new-privileges', 'no-new-privileges:true', 'no-new-privileges:false'],
  ['pinned-image', 'postgres:18.4', 'postgres:latest'],
  ['restart', 'restart: unless-stopped', `restart: 'on-failure'`],
  ['healthcheck', 'healthcheck:\n      test: [CMD, valkey-cli, ping]', 'x-check:\n      test: [CMD, valkey-cli, ping]'],
  ['closed-ports', '127.0.0.1:${API_PORT', '0.0.0.0:${API_PORT'],
  ['closed-stores', 'stores: { internal: true }', 'stores: { internal: false }'],
])('reports a planted violation of %s', (policy, from, to) => {
  expect(COMPOSE).toContain(from)
  expect(findProblems(COMPOSE.replaceAll(from, to)).map((finding) => finding.policy)).toContain(policy)
})

test('the example of docker/.env names the variables that are required, and none that nothing reads', () => {
  const variables = listVariables(COMPOSE)
  const required = [...variables].filter(([, isRequired]) => isRequired).map(([name]) => name)
  expect(Object.keys(EXAMPLE)).toEqual(expect.arrayContaining(required))
  expect([...variables.keys()]).toEqual(expect.arrayContaining(Object.keys(EXAMPLE)))
})

test('a variable that is required and missing stops the start and is named', () => {
  const { POSTGRES_PASSWORD: _, ...others } = VARIABLES
  expect(() => parseCompose(COMPOSE, others)).toThrow('POSTGRES_PASSWORD: set it in docker/.env')
})

test('Prometheus scrapes every process that runs on', () => {
  const file = parseCompose(COMPOSE, VARIABLES)
  const processes = Object.entries(file.services).filter(
    ([, service]) => runsOurImage(service, file) && service.restart !== 'no',
  )
  const { scrape_configs: jobs } = parse(read('prometheus.yml')) as {
    scrape_configs: { dns_sd_configs: { names: string[]; port: number }[] }[]
  }
  const targets = jobs.flatMap(({ dns_sd_configs: dns }) => dns)
  expect(targets.flatMap(({ names }) => names)).toEqual(processes.map(([name]) => name))
  for (const { port } of targets) expect(String(port)).toBe(image.env.METRICS_PORT)
})
