import { PrismaPg } from '@prisma/adapter-pg'
import { createDb, type Db } from './client.ts'
import { PrismaClient } from './generated/client.ts'
import { type DbOptions, type OpenPool, openPool } from './pool.ts'
import { type DbMonitor, measure } from './pool-monitor.ts'

/**
 * The store for processes that also read and write rows through Prisma. Statements that decide under concurrency, concern many
 * rows, or run for every job or request are SQL. Both share one pool.
 */
export interface PrismaDb extends Db {
  prisma: PrismaClient
}

/** A transaction of several statements may take this long, even if a single one may not. */
const MIN_TRANSACTION_MS = 5_000

export function openPrismaDb(options: DbOptions): PrismaDb {
  const opened = openPool(options)
  const { pool, connectTimeoutMs } = opened
  // By default, Prisma gives up after two seconds without a connection, whatever the deadline.
  const transactionOptions = { maxWait: connectTimeoutMs, timeout: Math.max(connectTimeoutMs, MIN_TRANSACTION_MS) }
  let prisma: PrismaClient | undefined
  return {
    ...createDb(opened, options),
    // Created on first use, because many commands never use it.
    get prisma() {
      const { monitor } = options
      prisma ??= new PrismaClient({
        adapter: monitor ? new MonitoredPrismaPg(pool, monitor) : new PrismaPg(pool),
        transactionOptions,
      })
      return prisma
    },
    close: () => opened.close(prisma?.$disconnect()),
  }
}

type Adapter = Awaited<ReturnType<PrismaPg['connect']>>

/** Prisma's adapter for a pool, which reports its statements to the monitor like those of the pool. */
class MonitoredPrismaPg extends PrismaPg {
  readonly #monitor: DbMonitor

  constructor(pool: OpenPool['pool'], monitor: DbMonitor) {
    super(pool)
    this.#monitor = monitor
  }

  override async connect(): Promise<Adapter> {
    const adapter = await super.connect()
    const start = adapter.startTransaction.bind(adapter)
    adapter.startTransaction = async (isolationLevel) => this.#watch(await start(isolationLevel))
    return this.#watch(adapter)
  }

  #watch<Client extends Pick<Adapter, 'queryRaw' | 'executeRaw'>>(client: Client): Client {
    const queryRaw = client.queryRaw.bind(client)
    const executeRaw = client.executeRaw.bind(client)
    client.queryRaw = (query) => measure(this.#monitor, () => queryRaw(query))
    client.executeRaw = (query) => measure(this.#monitor, () => executeRaw(query))
    return client
  }
}
