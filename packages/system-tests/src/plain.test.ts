import { hasPgBouncer } from '@subtext/embedded/testing'
import { useTestSystem } from '@subtext/testbed'
import { testCaptions } from './plain/captions.ts'
import { testCli } from './plain/cli.ts'
import { testExamples } from './plain/examples.ts'
import { testFailures } from './plain/failures.ts'
import { testLongVideo } from './plain/long-video.ts'
import { testMainPath } from './plain/main-path.ts'
import { testMcp } from './plain/mcp.ts'
import { testMetrics } from './plain/metrics.ts'
import { testResultsAndWebhooks } from './plain/results-and-webhooks.ts'
import { testSdk } from './plain/sdk.ts'
import { testWebhookManagement } from './plain/webhook-management.ts'

const isPooled = hasPgBouncer()
const testPooled = isPooled ? test : test.skip

// With PgBouncer, every test of this file shows that the apps work behind it.
const system = useTestSystem({
  metrics: true,
  pgBouncer: isPooled,
  settings: {
    WORKER_CONCURRENCY: '50',
    ACCOUNT_MAX_RUNNING: '50',
    BLOCKED_EXIT_REST_SECONDS: '1',
  },
})

// Come first: they count sessions of the worker and fetches of talks.
describe('captions', () => testCaptions(system))
describe('the main path', () => testMainPath(system))
describe('results and webhooks', () => testResultsAndWebhooks(system))
describe('the command line', () => testCli(system))
describe('the TypeScript client', () => testSdk(system))
describe('the examples', () => testExamples(system))
describe('the MCP server', () => testMcp(system))
describe('webhook management', () => testWebhookManagement(system))
describe('a long video', () => testLongVideo(system))
describe('videos that are not available', () => testFailures(system))
describe('metrics', () => testMetrics(system))

testPooled('all of this went through PgBouncer (needs pgbouncer 1.21)', async () => {
  expect(await system.pgBouncer.countTransactions()).toBeGreaterThan(100)
  expect(await system.readLogs()).not.toMatch(/prepared statement|startup parameter/)
})
