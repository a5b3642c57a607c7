/**
 * What the build makes: the entry points of each output folder, by their path in it (without `.js`). `dist/` is what a
 * production install runs. The programs for developers are separate, so that they neither split its files nor add to them.
 */
export const BUILDS = {
  dist: {
    'api/main': 'apps/api/src/main.ts',
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
    'standalone/print-env-example': 'apps/standalone/src/print-env-example.ts',
    'embedded/redis-javascript': 'packages/embedded/src/redis-javascript.mjs',
    'documents/render-process': 'packages/documents/src/render-process.mjs',
  },
  'dist-dev': {
    'api/write-openapi': 'apps/api/src/write-openapi.ts',
    'bench/main': 'packages/bench/src/main.ts',
    'bench/baseline-webhook': 'packages/bench/src/baseline-webhook-process.ts',
    'bench/baseline-worker': 'packages/bench/src/baseline-worker-process.ts',
    'bench/burden': 'packages/bench/src/burden-process.ts',
    'bench/floor-api': 'packages/bench/src/floor-api-process.ts',
    'bench/load': 'packages/bench/src/load-process.ts',
    'bench/mixed-people': 'packages/bench/src/mixed-people-process.ts',
    'bench/our-webhook': 'packages/bench/src/our-webhook-process.ts',
    'bench/our-worker': 'packages/bench/src/our-worker-process.ts',
    'bench/platform': 'packages/bench/src/platform-process.ts',
    'bench/same-api': 'packages/bench/src/same-api-process.ts',
    'bench/webhook-sink': 'packages/bench/src/webhook-sink-process.ts',
    'chaos/main': 'packages/chaos/src/main.ts',
    'chaos/rollout': 'packages/chaos/src/rollout/main.ts',
    'cli/main': 'packages/cli/src/main.ts',
    'deployment/main': 'packages/deployment/src/main.ts',
    'deployment/write-monitoring': 'packages/deployment/src/monitoring/write.ts',
    'embedded/redis-javascript': 'packages/embedded/src/redis-javascript.mjs',
    'worker/thread': 'apps/worker/src/threads/thread.ts',
  },
}

/** The folder of the dashboard, which the API serves. Vite makes it from `apps/dashboard`. */
export const DASHBOARD = 'dist-dashboard'

/** Files that exist for the sources only, and the entry points that take their place: this one registers a loader first. */
export const REPLACED = { 'apps/worker/src/threads/thread.mjs': 'apps/worker/src/threads/thread.ts' }
