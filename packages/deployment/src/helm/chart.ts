import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse, parseAllDocuments } from 'yaml'
import type { Manifest } from '../kubernetes/manifest.ts'
import { ROOT } from '../paths.ts'

export type Values = Record<string, unknown>

const CHART = join(ROOT, 'k8s/helm/subtext')
/** Where Debian keeps the sources of Go packages. */
const GO_PATH = '/usr/share/gocode'
const SPRIG = join(GO_PATH, 'src/github.com/Masterminds/sprig')

const read = (file: string): string => readFileSync(join(CHART, file), 'utf8')

/** Returns whether charts can be rendered here: with Go and sprig, as Debian packages them. */
export const canRenderCharts = (): boolean => spawnSync('go', ['version']).status === 0 && existsSync(SPRIG)

export const readChart = (): { name: string; version: string; appVersion: string } => parse(read('Chart.yaml'))
interface ValuesSchema {
  properties: { secrets: { properties: { from: { propertyNames: { enum: string[] } } } } }
}
export const readSchema = (): ValuesSchema => JSON.parse(read('values.schema.json'))
export const readDefaults = (): Values => parse(read('values.yaml')) as Values

/** Returns the examples of values by name, each as an operator passes it. */
export const readExamples = (): Map<string, Values> =>
  new Map(
    readdirSync(join(CHART, 'examples')).map((file) => [
      file.replace('.yaml', ''),
      parse(read(`examples/${file}`)) as Values,
    ]),
  )

const isMap = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Merges values as Helm does: maps by key, anything else replaces, and null removes. */
export function mergeValues(defaults: Values, given: Values): Values {
  const merged = { ...defaults }
  for (const [key, value] of Object.entries(given)) {
    const former = merged[key]
    if (value === null) delete merged[key]
    else merged[key] = isMap(former) && isMap(value) ? mergeValues(former, value) : value
  }
  return merged
}

const readFolder = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(join(CHART, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.includes('.'))
      .map((file) => [join(folder, file), read(join(folder, file))]),
  )

/** Renders the chart for each set of values, merged with the defaults. Throws with the message of the template engine. */
export function renderChart(values: readonly Values[], namespace = 'subtext'): Map<string, string>[] {
  const { name, version, appVersion } = readChart()
  const common = {
    Chart: { Name: name, Version: version, AppVersion: appVersion },
    Release: { Name: 'subtext', Namespace: namespace, Service: 'Helm' },
    Templates: readFolder('templates'),
    // The dashboards are a link to a folder, which is not followed below.
    Files: { ...readFolder('files/dashboards'), 'files/rules.yaml': read('files/rules.yaml') },
  }
  const inputs = values.map((given) => ({ ...common, Values: mergeValues(readDefaults(), given) }))
  const program = fileURLToPath(new URL('./render-chart.go', import.meta.url))
  const { status, stdout, stderr, error } = spawnSync(
    'env',
    ['GO111MODULE=off', `GOPATH=${GO_PATH}`, 'go', 'run', program],
    {
      input: JSON.stringify(inputs),
      encoding: 'utf8',
      maxBuffer: 64 * 1024 ** 2,
    },
  )
  if (error) throw error
  if (status !== 0) throw new Error(stderr)
  return (JSON.parse(stdout) as Record<string, string>[]).map((files) => new Map(Object.entries(files)))
}

/** Returns the documents of a rendered chart. Throws if one is no YAML, as where a key occurs twice. */
export const documentsOf = (files: Map<string, string>): Manifest[] =>
  [...files]
    .filter(([name]) => name.endsWith('.yaml'))
    .flatMap(([, text]) => parseAllDocuments(text))
    .flatMap((document) => {
      const [error] = document.errors
      if (error) throw error
      return document.contents === null ? [] : [document.toJS() as Manifest]
    })
