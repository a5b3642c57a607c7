import { LANES } from '@subtext/contracts'
import { Queue } from 'bullmq'
import { connectRedis, type QueueOptions } from '../connection.ts'
import { laneQueue } from '../lanes.ts'

/**
 * Removes the tasks that workers have taken, as if the locks of the workers had expired. For workers that were killed; a
 * living one loses the lock of its task.
 */
export async function dropRunningTasks(options: QueueOptions): Promise<void> {
  const connection = connectRedis(options)
  try {
    for (const lane of LANES) {
      const queue = new Queue(laneQueue(lane), { connection, prefix: options.prefix })
      for (const task of await queue.getActive()) {
        await connection.del(`${queue.toKey(task.id ?? '')}:lock`)
        await task.remove()
      }
      await queue.close()
    }
  } finally {
    connection.disconnect()
  }
}
