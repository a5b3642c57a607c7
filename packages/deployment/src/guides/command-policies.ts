import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { InvalidCommandError, parseCommand } from '@subtext/standalone/admin-command'
import type { ComposeFile } from '../docker/compose.ts'
import type { Policy, ReportFinding } from '../finding.ts'
import { listWorkloads, type Manifest, matches, select } from '../kubernetes/manifest.ts'
import { ROOT } from '../paths.ts'
import { PROGRAMS } from '../settings.ts'
import type { GuideCommand } from './read-commands.ts'

export interface GuideSubject {
  /** Names of the units of systemd. */
  units: string[]
  commands: GuideCommand[]
  manifests: Manifest[]
  compose: ComposeFile
}

/** Programs of the image that are no process of a manifest. */
const TOOLS = ['dist/standalone/admin.js']
/** Names of kinds in commands. Pods are named by their deployments. */
const KINDS: Record<string, string> = {
  deployment: 'Deployment',
  deployments: 'Deployment',
  job: 'Job',
  jobs: 'Job',
  cronjob: 'CronJob',
  cronjobs: 'CronJob',
  scaledobject: 'ScaledObject',
  scaledobjects: 'ScaledObject',
  statefulset: 'StatefulSet',
  pod: 'Pod',
  pods: 'Pod',
}
const CLUSTER_WIDE = ['apply', 'drain', 'kustomize', 'label']
/** Labels of namespaces that Kubernetes itself reads. */
const OF_KUBERNETES = 'pod-security.kubernetes.io/'
/** Placeholders that readers replace with their own name or number. */
export const isPlaceholder = (name: string): boolean => /^[A-Z_]+$/.test(name)

/** Returns the value of an option, and whether it is there. */
function optionOf(words: readonly string[], ...names: string[]): string | undefined {
  const at = words.findIndex((word) => names.includes(word.split('=')[0] ?? ''))
  return at < 0 ? undefined : (words[at]?.split(/=(.*)/s)[1] ?? words[at + 1] ?? '')
}

type Visit = (command: GuideCommand, subject: GuideSubject, report: (message: string) => void) => void

/** A rule for the commands of one program. */
const forEachCommand = (name: string, program: string, visit: Visit): Policy<GuideSubject> => ({
  name,
  check(subject, report: ReportFinding) {
    for (const command of subject.commands.filter(({ words }) => words[0] === program)) {
      visit(command, subject, (message) => report(command.where, message))
    }
  },
})

/** The verb of a kubectl command, after the namespace. */
const verbOf = ({ words }: GuideCommand): string => words.find((_, at) => at > 0 && !isGlobal(words, at)) ?? ''
const isGlobal = (words: readonly string[], at: number): boolean => words[at] === '-n' || words[at - 1] === '-n'

/** Lists what a command names as `kind/name`, or as a kind and a name after it. */
function listNamed({ words }: GuideCommand): { kind: string; name: string }[] {
  return words.flatMap((word, at) => {
    const [, kind = '', name = ''] = /^(?:--from=)?([a-z]+)\/([\w-]+)$/.exec(word) ?? []
    if (kind in KINDS) return [{ kind, name }]
    const next = words[at + 1]
    return word in KINDS && next !== undefined && !next.startsWith('-') ? [{ kind: word, name: next }] : []
  })
}

const isCreatedIn = (commands: readonly GuideCommand[], name: string): boolean =>
  commands.some((command) => verbOf(command) === 'create' && command.words.includes(name))

/** Returns whether the name of a unit matches a pattern with at most one `*`, which may leave out `.service`. */
function matchesGlob(unit: string, pattern: string): boolean {
  const [start = '', end] = pattern.split('*')
  const names = [unit, unit.replace(/\.service$/, '')]
  return names.some((name) => (end === undefined ? name === start : name.startsWith(start) && name.endsWith(end)))
}

const selectorsOf = (manifests: readonly Manifest[]): Record<string, string>[] => {
  const found: Record<string, string>[] = []
  JSON.stringify(select(manifests, 'NetworkPolicy'), (key, value) => {
    if (key === 'namespaceSelector' && value?.matchLabels) found.push(value.matchLabels)
    return value
  })
  return found
}

const readLabels = (text: string): Record<string, string> =>
  Object.fromEntries(text.split(',').map((pair) => pair.split(/=+/, 2) as [string, string]))

/** Lists the labels that a selector asks for: of `key in (a, b)`, each value by itself. */
function listAlternatives(selector: string): Record<string, string>[] {
  const [, key = '', values] = /^(\S+) in \((.*)\)$/.exec(selector) ?? []
  return values === undefined ? [readLabels(selector)] : values.split(/,\s*/).map((value) => ({ [key]: value }))
}

/** Returns the arguments of an admin command, with examples in place of placeholders. */
function adminArgumentsOf({ words }: GuideCommand): string[] | undefined {
  const isScript = words[0] === 'npm' && words.includes('admin')
  const isStart = (word: string): boolean => (isScript ? word === '--' : word.endsWith('dist/standalone/admin.js'))
  const at = words.findIndex(isStart)
  return at < 0 ? undefined : words.slice(at + 1).map((word) => (isPlaceholder(word) ? 'you@example.org' : word))
}

export const COMMAND_POLICIES: Policy<GuideSubject>[] = [
  forEachCommand('namespace', 'kubectl', (command, { manifests }, report) => {
    const namespace = optionOf(command.words, '-n', '--namespace')
    const [expected] = select(manifests, 'Namespace').map(({ metadata }) => metadata.name)
    const isClusterWide = CLUSTER_WIDE.includes(verbOf(command)) || command.words[2] === 'namespace'
    if (isClusterWide || command.words.length === 2) return
    if (namespace !== expected) report(`is about the namespace ${namespace ?? '"default"'}, not ${expected}`)
  }),
  forEachCommand('resources', 'kubectl', (command, { manifests, commands }, report) => {
    for (const { kind, name } of listNamed(command)) {
      const isKnown = select(manifests, KINDS[kind] ?? '').some(({ metadata }) => metadata.name === name)
      if (!isKnown && !isPlaceholder(name) && !isCreatedIn(commands, name)) report(`names the ${kind} ${name}`)
    }
  }),
  forEachCommand('labels', 'kubectl', (command, { manifests }, report) => {
    const { words } = command
    const selector = optionOf(words, '-l', '--selector')
    const pods = listWorkloads(manifests).map(({ template }) => template)
    const alternatives = selector ? listAlternatives(selector) : []
    const isEmpty = alternatives.some((labels) => !pods.some((pod) => matches(labels, pod)))
    if (isEmpty) report(`selects no pod: ${selector}`)
    if (verbOf(command) !== 'label') return
    const label = Object.entries(readLabels(words.find((word) => word.includes('=')) ?? ''))
    if (label[0]?.[0].startsWith(OF_KUBERNETES)) return
    const isUsed = selectorsOf(manifests).some((each) => label.every(([key, value]) => each[key] === value))
    if (!isUsed) report(`sets a label that no network policy asks for: ${label.join()}`)
  }),
  forEachCommand('container', 'kubectl', (command, { manifests }, report) => {
    const name = optionOf(command.words, '-c', '--container')
    const [target] = listNamed(command)
    const workload = listWorkloads(manifests).find(({ manifest }) => manifest.metadata.name === target?.name)
    if (name !== undefined && !workload?.containers.some((container) => container.name === name)) {
      report(`names the container ${name}`)
    }
  }),
  forEachCommand('whole-log', 'kubectl', (command, _subject, report) => {
    const { words } = command
    // With a selector, kubectl shows the last ten lines of each pod only.
    const isCut =
      verbOf(command) === 'logs' && optionOf(words, '-l') !== undefined && optionOf(words, '--tail') !== '-1'
    if (isCut) report('shows the last ten lines only')
  }),
  forEachCommand('folder', 'kubectl', (command, _subject, report) => {
    const { words, folder } = command
    const path = optionOf(words, '-k') ?? (verbOf(command) === 'kustomize' ? words.at(-1) : undefined)
    if (path !== undefined && !existsSync(join(ROOT, folder, path, 'kustomization.yaml'))) report(`needs ${path}`)
  }),
  ...['node', 'subtext-run'].map((runner) =>
    forEachCommand('program', runner, ({ words }, _subject, report) => {
      if (words[1] === '-e') return
      const program = words.slice(1).find((word) => !word.startsWith('-')) ?? ''
      if (!(program in PROGRAMS) && !TOOLS.includes(program))
        report(`runs ${program}, which is no program of the image`)
    }),
  ),
  ...['systemctl', 'journalctl'].map((program) =>
    forEachCommand('unit', program, ({ words }, { units }, report) => {
      const named = words.filter((word) => word.startsWith('subtext'))
      const isUnit = (word: string): boolean =>
        units.some(
          (unit) => matchesGlob(unit.replace('@.', '@1.'), word) || matchesGlob(unit.replace('@.', '@2.'), word),
        )
      for (const name of named.filter((word) => !isUnit(word))) report(`names the unit ${name}`)
    }),
  ),
  forEachCommand('script', 'npm', ({ words }, _subject, report) => {
    const name = (words[1] === 'run' ? words.slice(2).find((word) => !word.startsWith('-')) : words[1]) ?? ''
    const workspace = optionOf(words, '-w')?.replace('@subtext/', '')
    const folders = workspace === undefined ? [''] : [`packages/${workspace}`, `apps/${workspace}`]
    const files = folders.map((folder) => join(ROOT, folder, 'package.json')).filter((file) => existsSync(file))
    const scripts = files.flatMap((file) => Object.keys(JSON.parse(readFileSync(file, 'utf8')).scripts ?? {}))
    if (![...scripts, 'ci', 'install'].includes(name)) report(`runs the script ${name}`)
  }),
  forEachCommand('service', 'docker', ({ words }, { compose }, report) => {
    if (words[1] !== 'compose') return
    const at = words.findIndex((word) => ['exec', 'run', 'logs', 'restart', 'ps', 'stop'].includes(word))
    const executed = at < 0 ? undefined : words.slice(at + 1).find((word) => !word.startsWith('-'))
    const scaled = words.filter((_, index) => words[index - 1] === '--scale').map((word) => word.split('=')[0])
    for (const name of [executed, ...scaled]) {
      if (name !== undefined && !(name in compose.services)) report(`names the service ${name}`)
    }
    const file = optionOf(words, '-f')
    if (file !== undefined && !existsSync(join(ROOT, file))) report(`names the file ${file}`)
    const profile = optionOf(words, '--profile')
    const profiles = Object.values(compose.services).flatMap((service) => service.profiles ?? [])
    if (profile !== undefined && !profiles.includes(profile)) report(`names the profile ${profile}`)
  }),
  {
    name: 'admin',
    check({ commands }, report) {
      for (const command of commands) {
        const args = adminArgumentsOf(command)
        try {
          if (args) parseCommand(args)
        } catch (error) {
          if (!(error instanceof InvalidCommandError)) throw error
          report(command.where, error.message)
        }
      }
    },
  },
]
