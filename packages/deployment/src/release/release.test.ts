import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../paths.ts'
import { findReleaseProblems, readNotes, VERSIONED_FILES } from './versions.ts'

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const { version } = JSON.parse(read('package.json')) as { version: string }

test('every place that names the version of the service names the same one', () => {
  expect(findReleaseProblems(`v${version}`, read)).toEqual([])
})

test.each([
  ['a tag of another version', 'v9.9.9', read, /^package\.json has [\d.]+, the tag 9\.9\.9\.$/m],
  ['a tag without a version', 'nightly', read, /^nightly is not of the form v1\.2\.3\.$/],
  [
    'a manifest that was forgotten',
    `v${version}`,
    (path: string) => (path.includes('overlays/production') ? 'newTag: 0.0.1' : read(path)),
    /overlays\/production\/kustomization\.yaml has 0\.0\.1/,
  ],
  [
    'a changelog without the version',
    `v${version}`,
    (path: string) => (path === 'CHANGELOG.md' ? '# Changelog\n\n## [Unreleased]\n' : read(path)),
    /^CHANGELOG\.md says nothing about/m,
  ],
])('a release of %s is refused', (_, tag, readFile, message) => {
  expect(findReleaseProblems(tag, readFile).join('\n')).toMatch(message)
})

test('the notes of a release are its section of the changelog', () => {
  const changelog = '# Changelog\n\n## [Unreleased]\n\n- new\n\n## [1.3.0]\n\n### Added\n\n- a\n\n## [1.2.0]\n\n- b\n'
  expect(readNotes('1.3.0', changelog)).toBe('### Added\n\n- a')
})

const { typescript } = process.features as { typescript?: string | false }
const testWithTypes = typescript ? test : test.skip
testWithTypes('the program of the workflow prints them, and fails for another tag (needs Node.js 22.18)', () => {
  const program = join(ROOT, 'packages/deployment/src/release/notes.ts')
  const run = (tag: string) => spawnSync(process.execPath, [program, tag], { encoding: 'utf8' })
  expect(run(`v${version}`)).toMatchObject({ status: 0, stdout: expect.stringContaining('### Added') })
  expect(run('v0.0.0')).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('package.json has') })
})

/** The image that an operator builds, and the one that a release publishes. */
const IMAGES = ['registry.example.com/subtext', 'ghcr.io/OWNER/subtext']

/** What operators read. */
const files = [
  'README.md',
  ...['docs/operating', 'k8s', 'docker'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:md|ya?ml|example)$/.test(file))
      .map((file) => join(folder, file)),
  ),
]

test('no file for operators names the version without being checked', () => {
  const naming = files.filter((file) => read(file).includes(version))
  expect(naming.length).toBeGreaterThan(5)
  expect(naming.filter((file) => !VERSIONED_FILES.includes(file))).toEqual([])
})

test('documents, manifests and the chart name the same images', () => {
  const named = files.flatMap((file) =>
    [...read(file).matchAll(/\b(?:registry\.example\.com|ghcr\.io)\/[\w./-]*\w/g)].map(([image]) => ({ file, image })),
  )
  expect(named.filter(({ file }) => file === 'README.md')).not.toEqual([])
  const isKnown = (image: string): boolean => IMAGES.includes(image) || image === 'ghcr.io/OWNER/charts/subtext'
  expect(named.filter(({ image }) => !isKnown(image))).toEqual([])
  // The workflow publishes under the name of the documents.
  expect(read('.github/workflows/release.yml')).toMatch(
    /^ {2}IMAGE: ghcr\.io\/\$\{\{ github\.repository_owner \}\}\/subtext$/m,
  )
})

test('a release names its image everywhere in the manifests, the chart and the guides, so that what an overlay changes applies', () => {
  const folder = mkdtempSync(join(tmpdir(), 'subtext-release-'))
  try {
    for (const each of ['k8s', 'docs/operating']) cpSync(join(ROOT, each), join(folder, each), { recursive: true })
    const lines = read('.github/workflows/release.yml').match(/^.*xargs sed -i.*registry\.example\.com.*$/gm) ?? []
    expect(lines).toHaveLength(2)
    expect(lines[0]).toBe(lines[1])
    const options = { cwd: folder, encoding: 'utf8' } as const
    expect(spawnSync('bash', ['-ec', `IMAGE=ghcr.io/Owner/subtext\n${lines[0]}`], options)).toMatchObject({
      status: 0,
      stderr: '',
    })
    expect(spawnSync('grep', ['-r', 'registry.example.com', '.'], options).stdout).toBe('')
    const named = (file: string): string[] =>
      readFileSync(join(folder, file), 'utf8').match(/(?:[nN]ame|repository): ghcr\.io\/owner\/subtext$/gm) ?? []
    expect(named('k8s/base/kustomization.yaml')).toHaveLength(1)
    expect(named('k8s/overlays/production/kustomization.yaml')).toHaveLength(2)
    expect(named('k8s/helm/subtext/values.yaml')).toHaveLength(1)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
