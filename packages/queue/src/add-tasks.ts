import type { Queue } from 'bullmq'
import type { Redis, Result } from 'ioredis'

// Adds tasks as BullMQ's `addStandardJob` does, without the events, which nothing reads, and without looking whether the queue
// is paused, which nothing does. A task that exists stays as it is.
// KEYS: the list of waiting tasks, the marker that wakes workers. ARGV: the prefix of the tasks' keys, the time, the options of
// the tasks, their IDs.
const ADD_TASKS = `
local added = false
for i = 4, #ARGV do
  local key = ARGV[1] .. ARGV[i]
  if redis.call('exists', key) == 0 then
    redis.call('hset', key, 'name', 'process', 'data', '{}', 'opts', ARGV[3], 'timestamp', ARGV[2], 'delay', 0, 'priority', 0)
    redis.call('lpush', KEYS[1], ARGV[i])
    added = true
  end
end
if added then redis.call('zadd', KEYS[2], 0, '0') end`

declare module 'ioredis' {
  interface RedisCommander<Context> {
    /** Runs `ADD_TASKS` with its keys and arguments. */
    addTasks(
      wait: string,
      marker: string,
      prefix: string,
      now: number,
      ...optionsAndIds: string[]
    ): Result<null, Context>
  }
}

/** Redis blocks all others while it runs a script. */
const MAX_TASKS_PER_COMMAND = 500

// No finished task is retained: it would swallow the next wake-up of the same job.
const OPTIONS = JSON.stringify({ removeOnComplete: true, removeOnFail: true, attempts: 0 })

/**
 * Returns a function that adds tasks with the given IDs to a queue, by one command: BullMQ's `addBulk` runs a script for each,
 * which costs several times as much.
 */
export function createTaskAdder(connection: Redis): (queue: Queue, ids: readonly string[]) => Promise<void> {
  connection.defineCommand('addTasks', { numberOfKeys: 2, lua: ADD_TASKS })
  return async (queue, ids) => {
    for (let start = 0; start < ids.length; start += MAX_TASKS_PER_COMMAND) {
      const some = ids.slice(start, start + MAX_TASKS_PER_COMMAND)
      const [wait, marker, prefix] = [queue.toKey('wait'), queue.toKey('marker'), queue.toKey('')]
      await connection.addTasks(wait, marker, prefix, Date.now(), OPTIONS, ...some)
    }
  }
}
