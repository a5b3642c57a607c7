import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../src/paths.ts'
import { givenNodeImage, givenNpmrc } from './env.ts'

/** crun 1.8 refuses hybrid control groups, so runc is used. */
const TOOLS = ['buildah', 'podman', 'runc', 'mmdebstrap']

/** Returns what is missing to build and run an image without a daemon. */
export function listMissing(): string[] {
  const missing = TOOLS.filter((tool) => spawnSync(tool, ['--version']).error)
  return process.getuid?.() === 0 ? missing : [...missing, 'root']
}

const MAX_OUTPUT = 64 * 1024 ** 2
const BASE = 'localhost/node:24'
const IMAGE = 'localhost/subtext:test'

/** Builds and runs images in a storage of its own, as root but without a daemon. */
export class Containers {
  private readonly storage: string[]

  private constructor(private readonly folder: string) {
    this.storage = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run')]
  }

  static open = async (): Promise<Containers> => new Containers(await mkdtemp(join(tmpdir(), 'subtext-image-')))

  /** Runs a command to its end and returns what it prints. Throws if it fails. */
  private run(command: string, args: string[], cwd = ROOT): string {
    const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: MAX_OUTPUT })
    if (error) throw error
    if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`)
    return stdout.trim()
  }
  private buildah = (...args: string[]): string => this.run('buildah', [...this.storage, ...args])
  private readonly podmanOptions = ['--runtime', 'runc', '--cgroup-manager', 'cgroupfs', '--events-backend', 'file']
  podman = (...args: string[]): string => this.run('podman', [...this.storage, ...this.podmanOptions, ...args])

  /** Builds the image; returns by how many bytes it exceeds its base. */
  build(): number {
    const base = givenNodeImage() ?? this.buildBase()
    const npmrc = this.writeNpmrc()
    this.buildah(
      ...['build', '--layers', '--isolation', 'chroot', '--format', 'docker', '--network', 'host'],
      ...['--build-arg', `NODE_IMAGE=${base}`, '--build-arg', 'VERSION=1.2.3'],
      // The certificates and the name servers of this machine, for `npm ci`.
      ...['--volume', '/etc/ssl/certs:/etc/ssl/certs:ro', '--volume', '/etc/resolv.conf:/etc/resolv.conf:ro'],
      ...['--secret', `id=npmrc,src=${npmrc}`],
      ...['--file', 'docker/Dockerfile', '--tag', IMAGE, '.'],
    )
    const sizeOf = (image: string): number => Number(this.podman('image', 'inspect', '--format', '{{.Size}}', image))
    return sizeOf(IMAGE) - sizeOf(base)
  }

  /** Writes the configuration of npm for the build: the given one, and the certificate authorities that npm trusts here. */
  private writeNpmrc(): string {
    const given = givenNpmrc()
    const lines = given ? [readFileSync(given, 'utf8')] : []
    const authorities = this.run('npm', ['config', 'get', 'cafile'])
    if (authorities !== 'null') lines.push(`cafile=${authorities}`)
    const file = join(this.folder, 'npmrc')
    writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 })
    return file
  }

  /** Builds an image like `node:24-bookworm-slim`, for machines that reach no image registry. */
  private buildBase(): string {
    const archive = join(this.folder, 'debian.tar')
    const paths = ['path-exclude=/usr/share/doc/*', 'path-exclude=/usr/share/man/*'].flatMap((path) => [
      `--dpkgopt=${path}`,
    ])
    this.run('mmdebstrap', ['--variant=minbase', '--include=ca-certificates,openssl', ...paths, 'bookworm', archive])
    const packed = this.run('npm', ['pack', '--silent', `node-linux-${process.arch}@24`], this.folder)
      .split('\n')
      .at(-1)
    this.run('tar', ['xzf', packed ?? '', 'package/bin/node'], this.folder)
    const npm = join(this.run('npm', ['root', '--global']), 'npm')
    const container = this.buildah('from', 'scratch')
    this.buildah('add', '--quiet', container, archive, '/')
    this.buildah(
      'add',
      '--quiet',
      '--chmod',
      '0755',
      container,
      join(this.folder, 'package/bin/node'),
      '/usr/local/bin/node',
    )
    this.buildah('add', '--quiet', container, npm, '/usr/local/lib/node_modules/npm')
    this.buildah('config', '--env', 'PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', container)
    const setUp = `cd /usr/local/bin
      ln -s ../lib/node_modules/npm/bin/npm-cli.js npm
      ln -s ../lib/node_modules/npm/bin/npx-cli.js npx
      groupadd -g 1000 node
      useradd -u 1000 -g 1000 -m node`
    this.buildah('run', '--isolation', 'chroot', container, '--', 'sh', '-ec', setUp)
    this.buildah('commit', '--quiet', '--rm', container, BASE)
    return BASE
  }

  private restrictions(name: string, env: Record<string, string>): string[] {
    return [
      ...[
        'run',
        '--rm',
        '--name',
        name,
        '--network',
        'host',
        '--read-only',
        '--read-only-tmpfs=false',
        '--cap-drop',
        'all',
      ],
      ...['--security-opt', 'no-new-privileges', '--ulimit', 'nofile=4096:4096', '--ulimit', 'nproc=2048:2048'],
      ...Object.entries(env).flatMap(([key, value]) => ['--env', `${key}=${value}`]),
      IMAGE,
    ]
  }

  /** Runs a program of the image to its end, without privileges and unable to write; returns what it prints. */
  runProgram = (name: string, env: Record<string, string>, ...args: string[]): string =>
    this.podman(...this.restrictions(name, env), ...args)

  /** Starts a program of the image in the same way. */
  startProgram(name: string, env: Record<string, string>, ...args: string[]): ChildProcess {
    const all = [...this.storage, ...this.podmanOptions, ...this.restrictions(name, env), ...args]
    return spawn('podman', all, { stdio: ['ignore', 'inherit', 'inherit'] })
  }

  /** Returns the configuration that the image carries. */
  inspect(): { User: string; Healthcheck: { Test: string[] }; Labels: Record<string, string> } {
    const { Docker: image } = JSON.parse(this.buildah('inspect', '--type', 'image', IMAGE)) as {
      Docker: { config: ReturnType<Containers['inspect']> }
    }
    return image.config
  }

  async close(): Promise<void> {
    this.podman('rm', '--all', '--force')
    this.buildah('rm', '--all')
    this.buildah('rmi', '--all', '--force')
    await rm(this.folder, { recursive: true, force: true })
  }
}
