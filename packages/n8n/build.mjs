// Builds what `package.json` names under `n8n`. n8n loads CommonJS, and brings `n8n-workflow`.
import { cpSync, readFileSync, rmSync } from 'node:fs'
import { build } from 'esbuild'

const { n8n } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))
const built = [...n8n.credentials, ...n8n.nodes]

// esbuild keeps the folder in which it was loaded.
process.chdir(import.meta.dirname)
rmSync('dist', { recursive: true, force: true })
await build({
  entryPoints: built.map((path) => path.replace(/^dist\//, '').replace(/\.js$/, '.ts')),
  absWorkingDir: import.meta.dirname,
  outdir: 'dist',
  outbase: '.',
  format: 'cjs',
  bundle: true,
  platform: 'node',
  target: 'es2022',
  external: ['n8n-workflow'],
  charset: 'utf8',
  logLevel: 'warning',
})
cpSync('icons', 'dist/icons', { recursive: true })
for (const node of n8n.nodes) {
  const codex = node.replace(/\.js$/, '.json')
  cpSync(codex.replace(/^dist\//, ''), codex)
}
