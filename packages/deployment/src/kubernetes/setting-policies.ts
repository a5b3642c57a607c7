import type { Policy } from '../finding.ts'
import {
  type App,
  isSetting,
  isSettingOf,
  listSecretSettings,
  PRODUCTION_SETTINGS,
  PROGRAMS,
  settingIssues,
} from '../settings.ts'
import { type Container, listWorkloads, type Manifest, nameOf, select } from './manifest.ts'

type Manifests = readonly Manifest[]

/** Valid values of the settings that a secret provides. */
const SECRETS: Record<string, string> = {
  DATABASE_URL: 'postgresql://subtext:secret@db.example.com/subtext',
  REDIS_URL: 'rediss://redis.example.com:6379',
  WEBHOOK_SECRET_KEY: '0'.repeat(64),
  ANTHROPIC_API_KEY: 'key',
  PROXY_URLS: 'http://user:password@proxy.example.com:3128',
}

/** The containers that run a program of our image, with the app whose settings it reads. */
const listPrograms = (manifests: Manifests): { where: string; container: Container; app: App | undefined }[] =>
  listWorkloads(manifests).flatMap(({ where, containers }) =>
    containers
      .filter(({ image }) => /(^|\/)subtext[:@]/.test(image))
      .map((container) => ({
        where: `${where}/${container.name}`,
        container,
        app: PROGRAMS[container.args?.[0] ?? ''],
      })),
  )

/** The settings that a container gets from configuration, and samples of those that it gets from secrets. */
function readSettings(manifests: Manifests, { env = [], envFrom = [] }: Container): Record<string, string> {
  const maps = envFrom.flatMap(({ configMapRef }) =>
    select(manifests, 'ConfigMap').filter(({ metadata }) => metadata.name === configMapRef?.name),
  )
  return {
    HOST: '0.0.0.0',
    METRICS_PORT: '9464',
    ...Object.assign({}, ...maps.map(({ data }) => data)),
    ...Object.fromEntries(env.map(({ name, value }) => [name, value ?? SECRETS[name] ?? ''])),
  }
}

export const SETTING_POLICIES: Policy<Manifests>[] = [
  {
    name: 'known-program',
    check(manifests, report) {
      for (const { where, container, app } of listPrograms(manifests)) {
        if (!app) report(where, `runs ${container.args?.[0]}, which is no program of the image`)
      }
    },
  },
  {
    name: 'known-settings',
    check(manifests, report) {
      // Its keys are file names.
      const isDashboards = ({ metadata }: Manifest): boolean => /^dashboards(?:-|$)/.test(metadata.name)
      for (const map of select(manifests, 'ConfigMap').filter((one) => !isDashboards(one))) {
        const unknown = Object.keys(map.data ?? {}).filter((name) => !isSetting(name))
        if (unknown.length > 0) report(nameOf(map), `sets ${unknown.join(', ')}, which no app reads`)
      }
      for (const { where, container, app } of listPrograms(manifests)) {
        const unknown = (container.env ?? []).filter(({ name }) => app && !isSettingOf(app, name))
        if (unknown.length > 0) {
          report(where, `sets ${unknown.map(({ name }) => name).join(', ')}, which the ${app} app does not read`)
        }
      }
    },
  },
  {
    name: 'valid-settings',
    check(manifests, report) {
      for (const { where, container, app } of listPrograms(manifests)) {
        // The other programs read a part of the settings only.
        if (!app || !container.args?.[0]?.endsWith('/main.js')) continue
        for (const issue of settingIssues(app, readSettings(manifests, container))) report(where, issue)
      }
    },
  },
  {
    name: 'all-secrets',
    check(manifests, report) {
      for (const { where, container, app } of listPrograms(manifests)) {
        if (!app || !container.args?.[0]?.endsWith('/main.js')) continue
        const given = new Set((container.env ?? []).map(({ name }) => name))
        const missing = listSecretSettings(app).filter((name) => !given.has(name))
        if (missing.length > 0) report(where, `does not get ${missing.join(', ')} from a secret`)
      }
    },
  },
  {
    name: 'production-settings',
    check(manifests, report) {
      for (const { where, container, app } of listPrograms(manifests)) {
        if (!app || !container.args?.[0]?.endsWith('/main.js')) continue
        const settings = readSettings(manifests, container)
        for (const [name, value] of Object.entries(PRODUCTION_SETTINGS)) {
          if (isSettingOf(app, name) && settings[name] !== value) report(where, `does not set ${name}=${value}`)
        }
      }
    },
  },
]
