/** Where the version of a release is written, with the pattern that finds it. */
const PLACES: [file: string, pattern: RegExp][] = [
  ['package.json', /"version": "([^"]+)"/],
  ['package-lock.json', /"version": "([^"]+)"/],
  ['apps/api/src/openapi.json', /"version": "([^"]+)"/],
  ['k8s/base/kustomization.yaml', /newTag: (\S+)/],
  ['k8s/overlays/production/kustomization.yaml', /newTag: (\S+)/],
  ['k8s/overlays/single-node/kustomization.yaml', /newTag: (\S+)/],
  ['k8s/helm/subtext/Chart.yaml', /\nversion: (\S+)/],
  ['k8s/helm/subtext/Chart.yaml', /\nappVersion: (\S+)/],
  ['docs/operating/kubernetes.md', /registry\.example\.com\/subtext:([\w.-]*\w)/],
  ['docs/operating/systemd.md', /--branch v(\S+)/],
  ['docs/operating/helm.md', /--version (\S+)/],
  ['docker/.env.example', /ghcr\.io\/OWNER\/subtext:([\w.-]*\w)/],
]

/** Where the version of a release is written. */
export const VERSIONED_FILES = PLACES.map(([file]) => file)

/** Returns the section of a changelog about a version, or undefined if there is none. */
export const readNotes = (version: string, changelog: string): string | undefined =>
  changelog
    .split(/^(?=## )/m)
    .find((section) => section.startsWith(`## [${version}]`))
    ?.replace(/^.*\n+/, '')
    .trim()

/** Returns where another version is written than the one of the tag. `read` returns the text of a file of the repository. */
export function findReleaseProblems(tag: string, read: (file: string) => string): string[] {
  const version = /^v(\d+\.\d+\.\d+(?:-[\w.]+)?)$/.exec(tag)?.[1]
  if (version === undefined) return [`${tag || 'The tag'} is not of the form v1.2.3.`]
  const found = PLACES.map(([file, pattern]) => ({ file, found: pattern.exec(read(file))?.[1] ?? 'no version' }))
  const wrong = found.filter((place) => place.found !== version)
  return [
    ...wrong.map(({ file, found }) => `${file} has ${found}, the tag ${version}.`),
    ...(readNotes(version, read('CHANGELOG.md')) ? [] : [`CHANGELOG.md says nothing about ${version}.`]),
  ]
}
