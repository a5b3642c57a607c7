import { findRedisServer } from '@subtext/embedded'
import { useTestSystem } from '@subtext/testbed'
import { testPostgresOutages } from './outages/postgres.ts'
import { testRedisOutages } from './outages/redis.ts'
import { testShutdowns } from './outages/shutdowns.ts'

const hasRedis = findRedisServer() !== undefined
const describeWithRedis = hasRedis ? describe : describe.skip

const system = useTestSystem({
  ownPostgres: true,
  ownRedis: hasRedis,
  metrics: true,
  settings: {
    // A claim whose answer is lost in an outage ends with its lease.
    JOB_LEASE_SECONDS: '30',
    RATE_LIMIT_FREE: '3',
  },
})

describe('an outage of Postgres', () => testPostgresOutages(system))
describeWithRedis('an outage of Redis (needs redis-server)', () => testRedisOutages(system))
describeWithRedis('apps that are told to stop during an outage (needs redis-server)', () => testShutdowns(system))
