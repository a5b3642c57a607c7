import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseCompose } from '../docker/compose.ts'
import { findViolations } from '../finding.ts'
import { listWorkloads } from '../kubernetes/manifest.ts'
import { findKubectl, findKustomize, render } from '../kubernetes/render.ts'
import { ROOT } from '../paths.ts'
import { isSecretSetting } from '../settings.ts'
import { readUnits } from '../systemd/units.ts'
import { COMMAND_POLICIES, type GuideSubject, isPlaceholder } from './command-policies.ts'
import { readCommands, readGuideCommands } from './read-commands.ts'

/** The way of running the service that each program of a command belongs to. */
const WAYS: Record<string, string> = {
  kubectl: 'Kubernetes',
  docker: 'Compose',
  systemctl: 'systemd',
  journalctl: 'systemd',
  'subtext-run': 'systemd',
  sudo: 'systemd',
}

const kustomize = findKustomize()
const describeRendered = kustomize ? describe : describe.skip
const [kubectl] = findKubectl() ?? []
const testWithKubectl = kubectl === undefined ? test.skip : test

describeRendered(`the commands of the guides${kustomize ? '' : ' (need kustomize or kubectl)'}`, () => {
  let subject: GuideSubject
  beforeAll(() => {
    if (!kustomize) return
    const variables = new Proxy({}, { get: () => 'value' })
    subject = {
      units: [...readUnits().keys()],
      commands: readGuideCommands(),
      manifests: [...render(kustomize, 'overlays/production'), ...render(kustomize, 'overlays/single-node')],
      compose: parseCompose(readFileSync(join(ROOT, 'docker/compose.yaml'), 'utf8'), variables),
    }
  })

  test('name only what the manifests, the image, the compose file and the scripts contain', () => {
    expect(subject.commands.length).toBeGreaterThan(60)
    expect(findViolations(subject, COMMAND_POLICIES)).toEqual([])
  })

  test.each([
    ['namespace', 'kubectl get deployments'],
    ['namespace', 'kubectl -n subtexts get deployments'],
    ['resources', 'kubectl -n subtext rollout status deployment/apis'],
    ['resources', 'kubectl -n subtext scale deployment workers --replicas 4'],
    ['resources', 'kubectl -n subtext delete job migration --ignore-not-found'],
    ['resources', 'kubectl -n subtext create job --from=cronjob/canaries canary-now'],
    ['labels', 'kubectl -n subtext get pods -l app.kubernetes.io/component=webhook'],
    ['labels', 'kubectl label namespace traefik subtext.io/ingres=true'],
    ['labels', "kubectl -n subtext wait --for=delete pod -l 'app.kubernetes.io/component in (api, workers)'"],
    ['admin', 'kubectl -n subtext exec deployment/api -c app -- node dist/standalone/admin.js sign-in-links --email E'],
    ['admin', 'subtext-run dist/standalone/admin.js suspend-account --mail E'],
    ['admin', 'npm run --silent admin -- create-key --email you@example.org'],
    ['container', 'kubectl -n subtext exec deployment/api -c api -- node dist/standalone/admin.js'],
    ['whole-log', 'kubectl -n subtext logs -l app.kubernetes.io/component=api --since 15m | grep failed'],
    ['folder', 'kubectl apply -k k8s/overlays/productions'],
    ['program', 'DATABASE_URL=postgresql://db/subtext node dist/standalone/migrations.js'],
    ['script', 'npm run --silent admins -- list-keys'],
    ['script', 'npm run metrics -w @subtext/deployment'],
    ['service', 'docker compose -f docker/compose.yaml exec apis node dist/standalone/admin.js'],
    ['service', 'docker compose -f docker/compose.yaml up --scale workers=4'],
    ['service', 'docker compose -f docker/compose.yaml --profile https up'],
    ['service', 'docker compose -f docker/compose.yml up'],
    ['program', 'subtext-run dist/standalone/admins.js list-keys'],
    ['unit', 'systemctl restart subtext-apis'],
    ['unit', "journalctl -u 'subtext-workers@*' --since -1h"],
  ])('%s notices: %s', (policy, line) => {
    const commands = readCommands('planted.md', `Run it:\n\n\`\`\`sh\n${line}\n\`\`\`\n`)
    expect(commands.length).toBeGreaterThan(0)
    const found = findViolations({ ...subject, commands }, COMMAND_POLICIES)
    expect(found.map((finding) => finding.policy)).toContain(policy)
  })

  test('a runbook that has a command for Kubernetes has one for Compose and one for systemd', () => {
    const ways = new Map<string, Set<string>>()
    for (const { where, words } of subject.commands.filter(({ where }) => where.startsWith('runbooks/'))) {
      const file = where.replace(/:\d+$/, '')
      ways.set(file, (ways.get(file) ?? new Set()).add(WAYS[words[0] ?? ''] ?? ''))
    }
    expect(ways.size).toBeGreaterThan(12)
    for (const [file, found] of ways) {
      expect([file, [...found].filter(Boolean).sort()]).toEqual([file, ['Compose', 'Kubernetes', 'systemd']])
    }
  })

  test('the guide for Kubernetes lists the secrets of each process', () => {
    const guide = readFileSync(join(ROOT, 'docs/operating/kubernetes.md'), 'utf8')
    const listed = [...guide.matchAll(/^\| (`[A-Z_]+`(?:, `[A-Z_]+`)*) \|/gm)].flatMap(([, names = '']) =>
      names.replaceAll('`', '').split(', '),
    )
    const containers = listWorkloads(subject.manifests).flatMap((workload) => workload.containers)
    const read = containers.flatMap(({ env = [] }) =>
      env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef?.key ?? []),
    )
    expect(read.filter((name) => !listed.includes(name))).toEqual([])
    expect(listed.filter((name) => !isSecretSetting(name))).toEqual([])
  })
})

testWithKubectl('the commands with kubectl use verbs and flags that exist (needs kubectl)', () => {
  /** kubectl checks the flags before it shows its help, and asks no cluster. */
  const complaintsAbout = (words: string[]): string => {
    const end = words.indexOf('--')
    const own = (end < 0 ? words : words.slice(0, end)).map((word) => (isPlaceholder(word) ? '1' : word))
    const { status, stderr } = spawnSync(kubectl ?? '', [...own.slice(1), '--help'], { encoding: 'utf8' })
    return status === 0 ? '' : stderr
  }
  const commands = readGuideCommands().filter(({ words }) => words[0] === 'kubectl' && words.length > 2)
  expect(commands.length).toBeGreaterThan(20)
  const complaints = commands.map(({ where, words }) => [where, complaintsAbout(words)])
  expect(complaints.filter(([, text]) => text)).toEqual([])
  expect(complaintsAbout(['kubectl', 'delete', 'job', 'migrate', '--ignore-missing'])).toContain('unknown flag')
})
