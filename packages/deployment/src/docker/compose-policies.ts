import type { Policy } from '../finding.ts'
import { namesOneVersion } from '../image-name.ts'
import { EXIT_SECONDS, isSettingOf, PRODUCTION_SETTINGS, PROGRAMS, settingIssues } from '../settings.ts'
import { type ComposeFile, type ComposeService, runsOurImage } from './compose.ts'
import type { ImageDescription } from './dockerfile.ts'

export interface ComposeSubject {
  file: ComposeFile
  image: ImageDescription
}

type Visit = (name: string, service: ComposeService, subject: ComposeSubject) => string | undefined | false

const forEachService = (name: string, visit: Visit): Policy<ComposeSubject> => ({
  name,
  check(subject, report) {
    for (const [service, definition] of Object.entries(subject.file.services)) {
      const message = visit(service, definition, subject)
      if (message) report(service, message)
    }
  },
})
/** For the services that run our image. */
const forEachProcess = (name: string, visit: Visit): Policy<ComposeSubject> =>
  forEachService(
    name,
    (service, definition, subject) => runsOurImage(definition, subject.file) && visit(service, definition, subject),
  )

const programOf = (service: ComposeService, image: ImageDescription): string =>
  (service.command ?? image.command)[0] ?? ''
/** Settings of proxies for outgoing requests. */
const PROXIES = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY', 'PROXY_URLS']
const isLongRunning = (service: ComposeService): boolean => service.restart !== 'no'
const secondsOf = (duration = '0s'): number => Number(/^(\d+)s$/.exec(duration)?.[1] ?? Number.NaN)

export const COMPOSE_POLICIES: Policy<ComposeSubject>[] = [
  forEachProcess('known-program', (_, service, { image }) => {
    const program = programOf(service, image)
    return !(program in PROGRAMS) && `runs ${program}, which is no program of the image`
  }),
  forEachProcess('known-settings', (_, service, { image }) => {
    const app = PROGRAMS[programOf(service, image)]
    const unknown = Object.keys(service.environment ?? {}).filter((name) => app && !isSettingOf(app, name))
    return unknown.length > 0 && `sets ${unknown.join(', ')}, which the ${app} app does not read`
  }),
  forEachProcess('valid-settings', (_, service, { image }) => {
    const app = PROGRAMS[programOf(service, image)]
    const issues = app && isLongRunning(service) ? settingIssues(app, { ...image.env, ...service.environment }) : []
    return issues.join('; ')
  }),
  forEachProcess('grace-period', (_, service) => {
    const grace = Number(service.environment?.SHUTDOWN_GRACE_SECONDS)
    const stop = secondsOf(service.stop_grace_period)
    return (
      isLongRunning(service) &&
      !(stop > grace + EXIT_SECONDS) &&
      `is killed after ${stop} s, its work ends in ${grace} s`
    )
  }),
  forEachProcess('read-only', (_, service) => service.read_only !== true && 'can write to its image'),
  forEachProcess('memory-limit', (_, service) => !service.mem_limit && 'has no memory limit'),
  forEachProcess('production-settings', (_, service, { image }) => {
    const app = PROGRAMS[programOf(service, image)]
    const unsafe = Object.entries(PRODUCTION_SETTINGS).filter(
      ([name, value]) => app && isSettingOf(app, name) && service.environment?.[name] !== value,
    )
    const wanted = unsafe.map(([name, value]) => `${name}=${value}`).join(', ')
    return isLongRunning(service) && wanted && `does not set ${wanted}`
  }),
  forEachProcess('trusted-proxies', (_, service, { image }) => {
    const app = PROGRAMS[programOf(service, image)]
    const isBehindProxies = app && isSettingOf(app, 'TRUST_PROXY_HOPS') && service.ports
    return (
      isBehindProxies && !service.environment?.TRUST_PROXY_HOPS && 'takes the connections of the proxy for one client'
    )
  }),
  forEachProcess('after-migration', (name, { environment = {}, depends_on = {} }) => {
    const isOrdered = depends_on.migrate?.condition === 'service_completed_successfully'
    return name !== 'migrate' && environment.DATABASE_URL && !isOrdered && 'starts before the migrations'
  }),
  // Compose would build the same image once for each service.
  forEachService('one-build', (name, { build }, { file }) => {
    const [first] = Object.entries(file.services).find(([, service]) => service.build) ?? []
    return build && name !== first && `builds the image that ${first} builds`
  }),
  forEachProcess('proxies', (_, service, { image }) => {
    const app = PROGRAMS[programOf(service, image)]
    const missing = PROXIES.filter((name) => app && isSettingOf(app, name) && !(name in (service.environment ?? {})))
    return isLongRunning(service) && missing.length > 0 && `does not pass on ${missing.join(', ')}`
  }),
  forEachService('capabilities', (name, service) => {
    // PostgreSQL and Valkey start as root to hand their data to their own user.
    const isStore = ['postgres', 'valkey'].includes(name)
    return !isStore && !service.cap_drop?.includes('ALL') && 'keeps capabilities'
  }),
  forEachService(
    'no-new-privileges',
    (_, service) => !service.security_opt?.includes('no-new-privileges:true') && 'may gain privileges',
  ),
  forEachService('pinned-image', (_, service, { file }) => {
    return (
      !runsOurImage(service, file) &&
      !namesOneVersion(service.image) &&
      `uses ${service.image}, which does not name one version`
    )
  }),
  forEachService(
    'restart',
    (_, service) => !['no', 'unless-stopped'].includes(service.restart ?? '') && 'never restarts',
  ),
  forEachService('healthcheck', (_, service, { image, file }) => {
    const waiting = Object.values(file.services).flatMap(({ depends_on = {} }) => Object.entries(depends_on))
    const isAwaited = waiting.some(
      ([name, { condition }]) => file.services[name] === service && condition === 'service_healthy',
    )
    const own = runsOurImage(service, file) && !service.healthcheck?.disable ? image.healthcheck : []
    const check = service.healthcheck?.test ?? own
    return check.length === 0 && isAwaited && 'has no health check, and others wait for it to be healthy'
  }),
  forEachService('closed-ports', (name, service) => {
    const open = (service.ports ?? []).filter((port) => !port.startsWith('127.0.0.1:'))
    return name !== 'proxy' && open.length > 0 && `listens on ${open.join(', ')}, reachable from outside`
  }),
  forEachService('closed-stores', (name, service, { file }) => {
    const open = (service.networks ?? []).filter((network) => !file.networks[network]?.internal)
    return (
      ['postgres', 'valkey', 'prometheus'].includes(name) && open.length > 0 && `is on the network ${open.join(', ')}`
    )
  }),
]
