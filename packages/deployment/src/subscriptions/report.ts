import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate, openDb } from '@subtext/db'
import { startPostgres } from '@subtext/embedded'
import { simulateSubscriptions } from './simulate-subscriptions.ts'
import { spreadChecks } from './spread.ts'

const SOURCES = 2_000
const OPTIONS = { days: 30, channels: 3, subscriptionsPerChannel: 4, feedsAway: { from: 10, to: 14 } }

/** Simulates a month of subscriptions on a database of its own, and returns the figures. */
export async function reportSubscriptions(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'subtext-simulation-'))
  const server = await startPostgres({ dataDir, durable: false })
  const db = openDb({ url: server.url, maxConnections: 2 })
  try {
    await migrate(server.url)
    const { usual, away, kills, videos, missed, toldWrong, unexplained, items } = await simulateSubscriptions(
      db,
      OPTIONS,
    )
    const { mean, busiest } = spreadChecks(SOURCES)
    const perCheck = usual.requests / usual.checks
    const lines = [
      `${OPTIONS.days} days, ${OPTIONS.channels} channels with ${OPTIONS.subscriptionsPerChannel} subscriptions each, feeds away for ${OPTIONS.feedsAway.to - OPTIONS.feedsAway.from} days, ${kills} kills`,
      '',
      '| what | figure |',
      '|---|---|',
      `| checks | ${usual.checks + away.checks} |`,
      `| requests per check | ${perCheck.toFixed(2)} |`,
      `| requests per check while feeds are away | ${(away.requests / away.checks).toFixed(2)} |`,
      `| videos published | ${videos} |`,
      `| videos missed by a subscription | ${missed} |`,
      `| items told of twice or never | ${toldWrong} |`,
      `| items without a reason | ${unexplained} |`,
      ...Object.entries(items).map(([name, count]) => `| items \`${name}\` | ${count} |`),
      '',
      `10,000 subscriptions on ${SOURCES} channels, all made at once: ${(mean * perCheck).toFixed(2)} requests a second, ${(busiest * perCheck).toFixed(2)} in the busiest minute of the hour.`,
    ]
    return lines.join('\n')
  } finally {
    await db.close()
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
