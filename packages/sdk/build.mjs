// Builds what `package.json` names: the client for `import` and for `require`, each with its types.
import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { build } from 'esbuild'

const TYPES = [
  ...[
    '--ignoreConfig',
    '--declaration',
    '--emitDeclarationOnly',
    '--rewriteRelativeImportExtensions',
    '--skipLibCheck',
  ],
  ...['--strict', '--module', 'nodenext', '--target', 'es2023', '--types', 'node'],
]

rmSync('dist', { recursive: true, force: true })
for (const [format, outdir] of [
  ['esm', 'dist'],
  ['cjs', 'dist/cjs'],
]) {
  await build({
    entryPoints: ['src/index.ts'],
    outdir,
    format,
    bundle: true,
    platform: 'neutral',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'linked',
    // What browsers and edge runtimes load is small, and can still be debugged.
    minifyWhitespace: true,
    sourcemap: 'linked',
    logLevel: 'warning',
  })
  execFileSync('tsc', ['src/index.ts', '--outDir', outdir, ...TYPES], { stdio: 'inherit' })
}
// Files of this folder, types included, count as CommonJS.
writeFileSync('dist/cjs/package.json', '{ "type": "commonjs" }\n')
