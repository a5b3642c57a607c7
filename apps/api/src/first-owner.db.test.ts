import { announceFirstOwner } from './first-owner.ts'
import { useTestApi } from './testing/api.ts'
import { createTestSession } from './testing/sessions.ts'

const api = useTestApi({ PUBLIC_BASE_URL: 'https://subtext.example.org' })

/** Returns what is logged. */
async function announce(changes: object = {}) {
  const lines: { message: string; fields: Record<string, unknown> }[] = []
  const warn = (message: string, fields: Record<string, unknown> = {}) => void lines.push({ message, fields })
  await announceFirstOwner({ ...api.context, ...changes, log: { ...api.context.log, warn } })
  return lines
}

test('the API logs the link of the first owner as long as nobody has signed in', async () => {
  // A key is not a person.
  await api.createKey()
  const [line, ...others] = await announce()
  expect(line?.message).toMatch(/^nobody has signed in yet/)
  expect(line?.fields.address).toMatch(/^https:\/\/subtext\.example\.org\/sign-up\?setup=[0-9a-f]{64}$/)
  expect(others).toEqual([])
  await createTestSession(api)
  expect(await announce()).toEqual([])
})

test('the API starts without its database', async () => {
  const db = { ...api.context.db, query: () => Promise.reject(new Error('The database is away.')) }
  expect(await announce({ db })).toMatchObject([{ message: 'link for the first owner not created' }])
})
