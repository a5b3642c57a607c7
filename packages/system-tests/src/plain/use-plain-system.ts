import { hasPgBouncer } from '@subtext/embedded/testing'
import { type TestSystem, useTestSystem } from '@subtext/testbed'

/** With PgBouncer (1.21 or later), every test that uses a plain system shows that the apps work behind it. */
export const isPooled = hasPgBouncer()

/** Registers hooks that start a system with extractive summaries, metrics and further settings, and stop it afterwards. */
export const usePlainSystem = (settings: Record<string, string> = {}): TestSystem =>
  useTestSystem({
    metrics: true,
    pgBouncer: isPooled,
    settings: {
      WORKER_CONCURRENCY: '50',
      ACCOUNT_MAX_RUNNING: '50',
      BLOCKED_EGRESS_REST_SECONDS: '1',
      ...settings,
    },
  })
