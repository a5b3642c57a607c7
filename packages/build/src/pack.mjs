// Makes the tarballs of the packages for publication, in `dist-npm/` or the folder that is given: `npm run pack`.
import { spawnSync } from 'node:child_process'
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { print, ROOT } from './root.mjs'

const TARGET = resolve(ROOT, process.argv[2] ?? 'dist-npm')
const REQUIRE = `import { createRequire as createNodeRequire } from 'node:module'
const require = createNodeRequire(import.meta.url)`

/** Set by GitHub. The registry accepts a statement of provenance only if the package names where it was built. */
const REPOSITORY = process.env.GITHUB_REPOSITORY

/** What is published. Everything a package needs is bundled into it, so none has dependencies. */
const PACKAGES = [
  { name: 'sdk', entry: 'index', platform: 'neutral', types: true },
  { name: 'cli', entry: 'main', platform: 'node', bin: 'subtext' },
  { name: 'mcp', entry: 'stdio', platform: 'node', bin: 'subtext-mcp' },
]

await mkdir(TARGET, { recursive: true })
for (const each of PACKAGES) await pack(each)

async function pack({ name, entry, platform, bin, types }) {
  const source = join(ROOT, 'packages', name)
  const target = await mkdtemp(join(tmpdir(), `subtext-${name}-`))
  await build({
    absWorkingDir: ROOT,
    entryPoints: { [entry]: join(source, `src/${entry}.ts`) },
    outdir: join(target, 'dist'),
    bundle: true,
    format: 'esm',
    platform,
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'linked',
    // What is loaded by browsers and edge runtimes is small, and can still be debugged.
    ...(types && { minifyWhitespace: true, sourcemap: 'linked' }),
    ...(bin && { banner: { js: REQUIRE } }),
    logLevel: 'warning',
  })
  if (types) {
    emitTypes(source, join(target, 'dist'))
    emitTypes(source, join(target, 'dist/cjs'))
    await addCommonJs(join(target, 'dist'), entry)
  }
  if (bin) await chmod(join(target, 'dist', `${entry}.js`), 0o755)
  await writeManifest(source, target, { entry, bin, types })
  await copyFile(join(source, 'README.md'), join(target, 'README.md'))
  await copyFile(join(ROOT, 'LICENSE'), join(target, 'LICENSE'))
  run('npm', ['pack', target, '--pack-destination', TARGET, '--silent'])
  await rm(target, { recursive: true })
}

function emitTypes(source, outDir) {
  const options = [
    '--ignoreConfig',
    '--declaration',
    '--emitDeclarationOnly',
    '--rewriteRelativeImportExtensions',
    '--skipLibCheck',
  ]
  const language = ['--strict', '--module', 'nodenext', '--target', 'es2023', '--types', 'node']
  run(process.execPath, [
    join(ROOT, 'node_modules/typescript/bin/tsc'),
    join(source, 'src/index.ts'),
    '--outDir',
    outDir,
    ...options,
    ...language,
  ])
}

/** Adds the same for `require`, in a folder whose files, types included, count as CommonJS. */
async function addCommonJs(dist, entry) {
  const outdir = join(dist, 'cjs')
  await build({
    absWorkingDir: ROOT,
    entryPoints: [join(dist, `${entry}.js`)],
    outdir,
    format: 'cjs',
    target: 'es2022',
    minifyWhitespace: true,
    sourcemap: 'linked',
  })
  await writeFile(join(outdir, 'package.json'), '{ "type": "commonjs" }\n')
}

async function writeManifest(source, target, { entry, bin, types }) {
  const {
    exports: _,
    dependencies,
    devDependencies,
    ...manifest
  } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'))
  const published = {
    ...manifest,
    files: ['dist'],
    ...(REPOSITORY && { repository: { type: 'git', url: `git+https://github.com/${REPOSITORY}.git` } }),
    ...(types && {
      // For tools that do not read `exports`.
      main: `./dist/cjs/${entry}.js`,
      types: `./dist/cjs/${entry}.d.ts`,
      exports: {
        '.': { import: describeEntry('dist', entry), require: describeEntry('dist/cjs', entry) },
        './package.json': './package.json',
      },
    }),
    ...(bin && { bin: { [bin]: `dist/${entry}.js` } }),
  }
  await writeFile(join(target, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
}

function describeEntry(folder, entry) {
  return { types: `./${folder}/${entry}.d.ts`, default: `./${folder}/${entry}.js` }
}

function run(command, args) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: ROOT, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args[0]} failed:\n${stdout}${stderr}`)
  if (command === 'npm') print(`packed ${join(TARGET, stdout.trim())}`)
}
