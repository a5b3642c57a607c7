import { createRequestCount } from './request-count.ts'

test('reports each request once, and again if the write failed', async () => {
  const requests = createRequestCount()
  const reported: number[] = []
  const write = async (count: number) => void reported.push(count)
  const fail = async () => {
    throw new Error('unavailable')
  }
  requests.add()
  requests.add()
  await expect(requests.report(fail)).rejects.toThrow('unavailable')
  await requests.report(write)
  await requests.report(write)
  requests.add()
  await requests.report(write)
  expect(reported).toEqual([2, 0, 1])
})

test('keeps requests that are made during a write for the next one', async () => {
  const requests = createRequestCount()
  const counts: number[] = []
  await requests.report(async (count) => {
    counts.push(count)
    requests.add()
  })
  await requests.report(async (count) => void counts.push(count))
  expect(counts).toEqual([0, 1])
})
