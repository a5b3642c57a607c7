import { findRedisServer } from '@subtext/embedded'
import { type TestSystem, useTestSystem } from '@subtext/testbed'

const hasRedis = findRedisServer() !== undefined

/** Without a Redis that can be killed, tests that kill it are skipped by name. */
export const describeWithRedis = hasRedis ? describe : describe.skip

/** Registers hooks that start a system with servers of its own, which tests can crash, and stop it afterwards. */
export const useOutageSystem = (): TestSystem =>
  useTestSystem({
    ownPostgres: true,
    ownRedis: hasRedis,
    metrics: true,
    settings: {
      // A claim whose reply is lost in an outage ends with its lease.
      JOB_LEASE_SECONDS: '30',
      RATE_LIMIT_FREE: '3',
    },
  })
