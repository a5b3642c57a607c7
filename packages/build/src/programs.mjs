/** The programs that depend on most packages of the service, by their paths in `dist/` (without `.js`). */
const SERVICE = {
  'api/main': 'apps/api/src/main.ts',
  'api/thread': 'apps/api/src/imports/thread.ts',
  'worker/main': 'apps/worker/src/main.ts',
  'worker/thread': 'apps/worker/src/threads/thread.ts',
  'worker/canary': 'apps/worker/src/canary.ts',
  'worker/purge': 'apps/worker/src/purge.ts',
  'webhooks/main': 'apps/webhooks/src/main.ts',
  'mcp/main': 'apps/mcp/src/main.ts',
  'standalone/start': 'apps/standalone/src/start.ts',
  'standalone/demo': 'apps/standalone/src/demo.ts',
  'standalone/admin': 'apps/standalone/src/admin.ts',
  'standalone/migrate': 'apps/standalone/src/migrate.ts',
  'embedded/redis-javascript': 'packages/embedded/src/redis-javascript.mjs',
}

const DOCUMENTS = { 'documents/render-process': 'packages/documents/src/render-process.mjs' }

const DEVELOPMENT = {
  'bench/main': 'packages/bench/src/main.ts',
  'bench/burden': 'packages/bench/src/mixed/burden-process.ts',
  'bench/load': 'packages/bench/src/load-process.ts',
  'bench/our-webhook': 'packages/bench/src/our-webhook-process.ts',
  'bench/our-worker': 'packages/bench/src/our-worker-process.ts',
  'bench/people': 'packages/bench/src/mixed/people-process.ts',
  'bench/platform': 'packages/bench/src/platform-process.ts',
  'bench/same-api': 'packages/bench/src/requests/same-api-process.ts',
  'bench/same-webhook': 'packages/bench/src/same-webhook-process.ts',
  'bench/script': 'packages/bench/src/job/script-process.ts',
  'bench/sink': 'packages/bench/src/sink-process.ts',
  'chaos/main': 'packages/chaos/src/main.ts',
  'chaos/rollout': 'packages/chaos/src/rollout/main.ts',
  'cli/main': 'packages/cli/src/main.ts',
  'deployment/main': 'packages/deployment/src/main.ts',
  'embedded/redis-javascript': 'packages/embedded/src/redis-javascript.mjs',
  'summarize/train': 'packages/summarize/src/training/main.ts',
  'worker/thread': 'apps/worker/src/threads/thread.ts',
}

/**
 * The bundles, each made by a task of Turbo. `dist/` is what a production install runs; the programs for developers neither
 * split its files nor add to them. The renderer of documents has a bundle of its own, because its fonts and native modules
 * are six times as large as everything else in `dist/`, and Turbo would store them again with every change of the service.
 * A metafile lists everything that was bundled or copied, for the bill of materials of an image (`docker/Dockerfile`).
 */
export const BUNDLES = {
  service: { folder: 'dist', programs: SERVICE, assets: 'assets', metafile: 'metafile.json' },
  documents: { folder: 'dist', programs: DOCUMENTS, assets: 'documents', metafile: 'documents/metafile.json' },
  development: { folder: 'dist-dev', programs: DEVELOPMENT, metafile: 'metafile.json' },
}

/** The folder of the dashboard, which the API serves. Vite makes it from `apps/dashboard`. */
export const DASHBOARD = 'dist-dashboard'

/** Files that exist for the sources only, and the entry points that take their place: these register a loader first. */
export const REPLACED = {
  'apps/api/src/imports/thread.mjs': 'apps/api/src/imports/thread.ts',
  'apps/worker/src/threads/thread.mjs': 'apps/worker/src/threads/thread.ts',
}
