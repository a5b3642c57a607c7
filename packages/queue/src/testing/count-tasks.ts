import { LANES } from '@subtext/contracts'
import { Queue } from 'bullmq'
import { connectRedis, type QueueOptions } from '../connection.ts'
import { laneQueue } from '../lanes.ts'

/** Returns the number of tasks, over all lanes, that are waiting or being processed. */
export async function countTasks(options: QueueOptions): Promise<number> {
  const connection = connectRedis(options)
  try {
    const counts = LANES.map(async (lane) => {
      const queue = new Queue(laneQueue(lane), { connection, prefix: options.prefix })
      const count = await queue.getJobCountByTypes('waiting', 'active', 'prioritized', 'delayed')
      await queue.close()
      return count
    })
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
  } finally {
    connection.disconnect()
  }
}
