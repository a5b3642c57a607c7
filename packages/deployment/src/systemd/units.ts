import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { HEAP_OPTIONS } from '@subtext/runtime'
import type { Policy } from '../finding.ts'
import { ROOT } from '../paths.ts'
import { EXIT_SECONDS, PRODUCTION_SETTINGS, PROGRAMS, settingIssues } from '../settings.ts'

export const UNITS = join(ROOT, 'docs/operating/systemd')

/** The lines of a unit by name, such as `ExecStart`. Of a name that occurs twice, the last one holds. */
export type Unit = Record<string, string>

export interface UnitSubject {
  units: Map<string, Unit>
  /** The settings of all processes, as in the example. */
  settings: Record<string, string>
}

export const parseUnit = (text: string): Unit =>
  Object.fromEntries(
    [...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']): [string, string] => [name, value]),
  )

export const readUnits = (): Map<string, string> =>
  new Map(
    readdirSync(UNITS)
      .filter((file) => file.endsWith('.service') || file.endsWith('.target'))
      .map((file) => [file, readFileSync(join(UNITS, file), 'utf8')]),
  )

export const readSettingsExample = (): Record<string, string> =>
  parseEnv(readFileSync(join(UNITS, 'subtext.env.example'), 'utf8')) as Record<string, string>

const MIGRATIONS = 'subtext-migrate.service'
const REQUIRED: Unit = {
  User: 'subtext',
  WorkingDirectory: '/opt/subtext',
  EnvironmentFile: '/etc/subtext/subtext.env',
  PartOf: 'subtext.target',
  WantedBy: 'subtext.target',
  NoNewPrivileges: 'true',
  CapabilityBoundingSet: '',
  ProtectSystem: 'strict',
  ProtectHome: 'true',
  PrivateTmp: 'true',
}

export const environmentOf = ({ Environment = '' }: Unit): Record<string, string> =>
  Object.fromEntries(
    [...Environment.matchAll(/"(\w+)=([^"]*)"|(?<=^|\s)(\w+)=(\S*)/g)].map((pair) => pair.slice(1).filter(Boolean)),
  )
const programOf = ({ ExecStart = '' }: Unit): string =>
  ExecStart.split(/[' ]/).find((word) => word.startsWith('dist/')) ?? ''
const isProcess = (unit: Unit): boolean => unit.ExecStart !== undefined && unit.Type !== 'oneshot'

type Visit = (unit: Unit, subject: UnitSubject, name: string) => string | undefined | false
const forEachUnit = (name: string, matches: (unit: Unit) => boolean, visit: Visit): Policy<UnitSubject> => ({
  name,
  check(subject, report) {
    for (const [where, unit] of subject.units) {
      const message = matches(unit) && visit(unit, subject, where)
      if (message) report(where, message)
    }
  },
})
const forEachService = (name: string, visit: Visit): Policy<UnitSubject> =>
  forEachUnit(name, ({ ExecStart }) => ExecStart !== undefined, visit)
const forEachProcess = (name: string, visit: Visit): Policy<UnitSubject> => forEachUnit(name, isProcess, visit)

export const UNIT_POLICIES: Policy<UnitSubject>[] = [
  forEachService('known-program', (unit) => !(programOf(unit) in PROGRAMS) && `runs ${unit.ExecStart}`),
  forEachService('confined', (unit) => {
    const missing = Object.entries(REQUIRED).filter(([name, value]) => unit[name] !== value)
    return missing.length > 0 && `lacks ${missing.map((pair) => pair.join('=')).join(', ')}`
  }),
  forEachService('memory-limit', ({ MemoryMax }) => !MemoryMax && 'has no memory limit'),
  forEachService('heap', (unit) => {
    const options = environmentOf(unit).NODE_OPTIONS
    return options !== HEAP_OPTIONS && `has another heap than the processes of npm start: ${options}`
  }),
  forEachProcess('grace-period', (unit) => {
    const grace = Number(environmentOf(unit).SHUTDOWN_GRACE_SECONDS)
    const stop = Number(unit.TimeoutStopSec)
    return !(stop > grace + EXIT_SECONDS) && `is killed after ${stop} s, its work ends in ${grace} s`
  }),
  forEachProcess('restart', ({ Restart }) => Restart !== 'always' && 'stays down when it ends'),
  forEachProcess('own-metrics', (unit, { units }, name) => {
    const portOf = (one: Unit): string | undefined => environmentOf(one).METRICS_PORT
    const isTaken = [...units].some(([other, one]) => other !== name && isProcess(one) && portOf(one) === portOf(unit))
    return (isTaken || !portOf(unit)) && `has no port of its own for metrics: ${portOf(unit)}`
  }),
  // A unit that requires another stays down for good if that one has failed, as when PostgreSQL was not there yet.
  forEachProcess('after-migration', (unit) => {
    if (PROGRAMS[programOf(unit)] === 'mcp') return false
    const isOrdered = [unit.Wants, unit.After].every((units) => units?.split(' ').includes(MIGRATIONS))
    const waits = unit.ExecStartPre?.endsWith(' dist/standalone/migrate.js --wait') && !unit.Requires
    return !(isOrdered && waits) && 'starts before the migrations, or never where they fail at first'
  }),
  forEachUnit(
    'retry',
    ({ Type }) => Type === 'oneshot',
    ({ Restart }) => Restart !== 'on-failure' && 'is not tried again when it fails',
  ),
  forEachProcess('valid-settings', (unit, { settings }) => {
    const app = PROGRAMS[programOf(unit)]
    const given = Object.entries({ ...environmentOf(unit), ...settings })
      .filter(([, value]) => value !== '')
      .map(([name, value]): [string, string] => [name, value.replace('%i', '1')])
    return app && settingIssues(app, Object.fromEntries(given)).join('; ')
  }),
  {
    name: 'production-settings',
    check({ settings }, report) {
      const unsafe = Object.entries(PRODUCTION_SETTINGS).filter(([name, value]) => settings[name] !== value)
      if (unsafe.length > 0)
        report('subtext.env.example', `does not set ${unsafe.map((pair) => pair.join('=')).join()}`)
    },
  },
]
