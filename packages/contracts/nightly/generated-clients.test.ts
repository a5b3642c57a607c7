import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const OPENAPI = fileURLToPath(new URL('../../../apps/api/src/openapi.json', import.meta.url))
const TSC = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url))
const OPTIONS = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'esnext', '--moduleResolution', 'bundler']

interface Generator {
  /** What npm installs. */
  packages: string[]
  command: string[]
  /** A program that uses the generated client. `BODY` stands for the body of a submission. */
  sample: string
}

const GENERATORS: Record<string, Generator> = {
  '@hey-api/openapi-ts': {
    packages: ['@hey-api/openapi-ts@0.99.0', 'typescript@5.9.3'],
    command: ['openapi-ts', '-i', 'openapi.json', '-o', 'client'],
    sample: `import { submitVideo } from './client/index.js'
import { createClient } from './client/client/index.js'
const client = createClient({ baseUrl: 'http://127.0.0.1:3000/api/v1' })
const { data } = await submitVideo({ client, body: BODY })
const id: string | undefined = data?.data.job_id
console.log(id)`,
  },
  'openapi-typescript': {
    packages: ['openapi-typescript@7.13.0', 'openapi-fetch@0.14.0', 'typescript@5.9.3'],
    // It takes a property with a default for one that is always there, also in requests.
    command: ['openapi-typescript', 'openapi.json', '--default-non-nullable=false', '-o', 'client.d.ts'],
    sample: `import createClient from 'openapi-fetch'
import type { paths } from './client.d.ts'
const client = createClient<paths>({ baseUrl: 'http://127.0.0.1:3000/api/v1' })
const { data } = await client.POST('/videos/process', { body: BODY })
const id: string | undefined = data?.data.job_id
console.log(id)`,
  },
  orval: {
    packages: ['orval@8.38.0', 'typescript@5.9.3'],
    command: ['orval', '--input', 'openapi.json', '--output', 'client.ts', '--client', 'fetch'],
    sample: `import { submitVideo } from './client.js'
const response = await submitVideo(BODY)
console.log(response.status)`,
  },
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const runs = major > 22 || (major === 22 && minor >= 18) ? test : test.skip

runs.each(Object.keys(GENERATORS))('a client made by %s compiles, and demands the URL of a video', async (name) => {
  const { packages, command, sample } = GENERATORS[name] as Generator
  const folder = await mkdtemp(join(tmpdir(), 'subtext-client-'))
  const run = (file: string, args: string[]) => promisify(execFile)(file, args, { cwd: folder, maxBuffer: 1e8 })
  const compile = async (body: string): Promise<string> => {
    await writeFile(join(folder, 'sample.ts'), sample.replace('BODY', body))
    return run(process.execPath, [TSC, ...OPTIONS, 'sample.ts']).then(
      () => 'compiles',
      ({ stdout }: { stdout: string }) => stdout,
    )
  }
  try {
    await cp(OPENAPI, join(folder, 'openapi.json'))
    await writeFile(join(folder, 'package.json'), '{"type":"module","private":true}')
    await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent', ...packages])
    const [program = '', ...args] = command
    await run(join(folder, 'node_modules/.bin', program), args)
    expect(await compile(`{ url: 'https://youtu.be/jNQXAC9IVRw', options: { summary_modes: ['tldr'] } }`)).toBe(
      'compiles',
    )
    expect(await compile('{}')).toContain('sample.ts')
    expect(await compile(`{ url: 'https://youtu.be/jNQXAC9IVRw', options: { summary_modes: ['short'] } }`)).toContain(
      'sample.ts',
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
