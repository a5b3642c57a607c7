import { createDoor } from './door.ts'

const never = new AbortController().signal
const settled = async (promise: Promise<unknown>): Promise<boolean> =>
  Promise.race([promise.then(() => true), new Promise<boolean>((resolve) => setImmediate(() => resolve(false)))])

test('lets in so many, and the others in the order in which they came', async () => {
  const door = createDoor(2)
  const [leave] = [await door.enter(never), await door.enter(never)]
  const third = door.enter(never)
  const fourth = door.enter(never)
  expect(await settled(third)).toBe(false)
  leave()
  const leaveThird = await third
  expect(await settled(fourth)).toBe(false)
  leaveThird()
  expect(await settled(fourth)).toBe(true)
})

test('who gives up takes no place', async () => {
  const door = createDoor(1)
  const leave = await door.enter(never)
  const tired = new AbortController()
  const second = door.enter(tired.signal)
  const third = door.enter(never)
  tired.abort(new Error('tired'))
  await expect(second).rejects.toThrow('tired')
  leave()
  const leaveThird = await third
  leaveThird()
  expect(await settled(door.enter(never))).toBe(true)
  await expect(door.enter(tired.signal)).rejects.toThrow('tired')
})
