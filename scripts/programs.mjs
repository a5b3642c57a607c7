/** The programs of the repository: the entry points of the build, by their path in `dist/` (without `.js`). */
export const PROGRAMS = {
  'api/main': 'apps/api/src/main.ts',
  'worker/main': 'apps/worker/src/main.ts',
  'worker/thread': 'apps/worker/src/threads/thread.ts',
  'worker/canary': 'apps/worker/src/canary.ts',
  'webhooks/main': 'apps/webhooks/src/main.ts',
  'server/start': 'apps/server/src/start.ts',
  'server/demo': 'apps/server/src/demo.ts',
  'server/admin': 'apps/server/src/admin.ts',
  'server/migrate': 'apps/server/src/migrate.ts',
  'server/platform': 'apps/server/src/platform.ts',
  'server/print-env-example': 'apps/server/src/print-env-example.ts',
  'embedded/redis-javascript': 'packages/embedded/src/redis-javascript.mjs',
}

/** Files that the sources start or read by address, and what takes their place in `dist/`. */
export const REPLACED = {
  // The sources' own entry registers a loader first.
  'apps/worker/src/threads/thread.mjs': 'worker/thread.js',
  'packages/embedded/src/redis-javascript.mjs': 'embedded/redis-javascript.js',
}
