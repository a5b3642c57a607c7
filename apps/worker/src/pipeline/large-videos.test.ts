import { createDoor } from '../door.ts'
import { newVideoInfo } from '../test-worker.ts'
import { withRoomFor } from './large-videos.ts'

const never = new AbortController().signal
const lasting = (hours: number) => ({ ...newVideoInfo('abcdefghijk'), duration_seconds: hours * 3600 })

test('large videos take turns, others pass them by; one that fails makes room too', async () => {
  const ctx = { largeVideos: createDoor(1) }
  const done: string[] = []
  let fail = (_: Error): void => {}
  const first = withRoomFor(ctx, lasting(10), never, () => new Promise<void>((_, reject) => (fail = reject)))
  const second = withRoomFor(ctx, lasting(9), never, async () => void done.push('large'))
  await withRoomFor(ctx, lasting(1), never, async () => void done.push('small'))
  expect(done).toEqual(['small'])
  fail(new Error('broken'))
  await expect(first).rejects.toThrow('broken')
  await second
  expect(done).toEqual(['small', 'large'])
})
