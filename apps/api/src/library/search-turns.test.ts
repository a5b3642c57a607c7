import { setImmediate as nextTurn } from 'node:timers/promises'
import { createSearchTurns } from './search-turns.ts'

const { signal } = new AbortController()

/** Returns a search that ends when it is told to, and writes down when it starts. */
function openSearches() {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const search = (name: string) => () =>
    new Promise<string>((resolve) => {
      started.push(name)
      ends.set(name, () => resolve(name))
    })
  return { started, end: (name: string) => ends.get(name)?.(), search }
}

test('an account that searches a lot keeps nobody else waiting', async () => {
  const turns = createSearchTurns(2)
  const { started, end, search } = openSearches()
  const many = Array.from({ length: 20 }, (_, nth) => turns('a', signal, search(`a${nth}`)))
  await nextTurn()
  expect(started).toEqual(['a0'])
  const other = turns('b', signal, search('b'))
  await nextTurn()
  expect(started).toEqual(['a0', 'b'])
  end('b')
  expect(await other).toBe('b')
  for (let nth = 0; nth < many.length; nth++) {
    end(`a${nth}`)
    await many[nth]
    await nextTurn()
  }
  expect(started.slice(2)).toEqual(many.slice(1).map((_, nth) => `a${nth + 1}`))
})

test('searches beyond those that may wait are refused, and others have their turn after a failure', async () => {
  const turns = createSearchTurns(1, 1)
  const failing = turns('a', signal, () => Promise.reject(new Error('broken')))
  await expect(failing).rejects.toThrow('broken')
  const { end, search } = openSearches()
  const running = turns('a', signal, search('a'))
  const waiting = turns('a', signal, search('next'))
  await expect(turns('a', signal, search('third'))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  await nextTurn()
  end('a')
  await running
  await nextTurn()
  end('next')
  expect(await waiting).toBe('next')
})
