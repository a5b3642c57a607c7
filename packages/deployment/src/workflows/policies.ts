import { parse } from 'yaml'

interface Step {
  uses?: string
  run?: string
}
interface Job {
  needs?: string | string[]
  'runs-on'?: string
  'timeout-minutes'?: number
  permissions?: Record<string, string>
  steps?: Step[]
  services?: Record<string, { image?: string }>
  strategy?: { matrix?: Record<string, unknown> }
}
interface Workflow {
  on?: Record<string, unknown>
  permissions?: Record<string, string>
  jobs: Record<string, Job>
}

/** What workflows can use in the repository. */
export interface Offered {
  /** The scripts of the package.json. */
  scripts: readonly string[]
  /** Returns whether a file exists. */
  hasFile: (path: string) => boolean
}

/** The first major version of each action that runs on the current Node.js of GitHub's machines. Others bring no runtime. */
const MIN_MAJOR: Record<string, number> = {
  'actions/checkout': 5,
  'actions/setup-node': 5,
  'actions/upload-artifact': 6,
  'github/codeql-action/init': 4,
  'github/codeql-action/analyze': 4,
  'actions/attest-build-provenance': 3,
}
const USED = /uses: ([\w/-]+)@\S+(?: # v(\d+)\.\d+\.\d+)?$/gm
const PINNED = /^[\w-]+(?:\/[\w.-]+)+@[0-9a-f]{40}$/
const MAX_MINUTES = 120

/** Returns what is wrong with a workflow that a linter accepts. */
export function findViolations(text: string, offered: Offered): string[] {
  const { on = {}, permissions = {}, jobs } = parse(text) as Workflow
  const found: string[] = []
  if ('pull_request_target' in on) found.push('runs with secrets on code from anywhere')
  if (JSON.stringify(permissions) !== '{"contents":"read"}') found.push('may do more than read by default')
  for (const [, action = '', major] of text.matchAll(USED)) {
    if (major === undefined) found.push(`${action} does not say which version its commit is`)
    else if (Number(major) < (MIN_MAJOR[action] ?? 0)) found.push(`${action} runs on an old Node.js`)
  }
  for (const [name, job] of Object.entries(jobs)) {
    found.push(...findInJob(job, on).map((what) => `${name}: ${what}`))
    const commands = [...(job.steps ?? []).map(({ run }) => run ?? ''), JSON.stringify(job.strategy?.matrix ?? {})]
    found.push(...findMissing(commands.join('\n'), offered).map((what) => `${name}: ${what}`))
    found.push(...findInPublication(name, jobs).map((what) => `${name}: ${what}`))
  }
  return found
}

/** Returns the jobs that have to succeed before a job, directly or not. */
function listPredecessors(name: string, jobs: Workflow['jobs']): string[] {
  const needed = [jobs[name]?.needs ?? []].flat()
  return needed.flatMap((each) => [each, ...listPredecessors(each, jobs)])
}

/** What npm and PyPI have published cannot be replaced, so the image, which may turn out to be unusable, comes before it. */
function findInPublication(name: string, jobs: Workflow['jobs']): string[] {
  const commands = (jobs[name]?.steps ?? []).map(({ run = '', uses = '' }) => run + uses).join('\n')
  if (!/\bnpm publish\b|pypi-publish@/.test(commands)) return []
  const found: string[] = []
  const before = listPredecessors(name, jobs)
  for (const [other, { permissions = {} }] of Object.entries(jobs)) {
    if (permissions.packages === 'write' && !before.includes(other))
      found.push(`publishes before ${other} has succeeded`)
  }
  const words = commands.split(/[\s;]+/)
  const isAmbiguous = (word: string): boolean => /^[^./]/.test(word) && word.includes('/') && word.endsWith('.tgz')
  if (words.some((word, at) => words[at - 1] === 'in' && isAmbiguous(word)))
    found.push('npm takes folder/file.tgz for a repository of GitHub')
  return found
}

function findInJob(job: Job, on: object): string[] {
  const found: string[] = []
  if (!((job['timeout-minutes'] ?? Infinity) <= MAX_MINUTES)) found.push('has no time limit')
  if (/latest/.test(job['runs-on'] ?? '')) found.push('runs on a machine that changes by itself')
  const writes = Object.values(job.permissions ?? {}).includes('write')
  const publishes = Object.keys(job.permissions ?? {}).some((name) => name !== 'contents' && name !== 'security-events')
  if (writes && publishes && 'pull_request' in on) found.push('publishes for pull requests')
  for (const { uses } of job.steps ?? []) {
    if (uses !== undefined && !PINNED.test(uses)) found.push(`${uses} is not pinned to a commit`)
  }
  for (const { image = '' } of Object.values(job.services ?? {})) {
    if (!/@sha256:[0-9a-f]{64}$/.test(image)) found.push(`${image} is not pinned to a digest`)
  }
  return found
}

/** Finds scripts and files that do not exist. */
function findMissing(commands: string, { scripts, hasFile }: Offered): string[] {
  const named = [...commands.matchAll(/\bnpm run (?:--silent )?([\w:-]+)/g)].map(([, name = '']) => name)
  const files = [...commands.matchAll(/(?:bash |node |\$\(|--file )(\.?[\w-]+\/[\w./-]+)/g)].map(
    ([, path = '']) => path,
  )
  const packed = [...commands.matchAll(/\btar -czf \S+ (.+)$/gm)].flatMap(([, paths = '']) => paths.split(' '))
  return [
    ...named.filter((name) => !scripts.includes(name)).map((name) => `there is no script ${name}`),
    ...[...files, ...packed].filter((path) => !hasFile(path)).map((path) => `there is no file ${path}`),
  ]
}
