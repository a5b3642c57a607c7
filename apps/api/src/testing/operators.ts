import { randomUUID } from 'node:crypto'
import { API_PREFIX } from '@subtext/contracts'
import supertest, { type Test } from 'supertest'
import type { TestApi } from './api.ts'
import { createTestSession, type TestSession, type TestSessionOptions } from './sessions.ts'

export type Method = 'get' | 'post' | 'patch' | 'delete'

/** An account in which somebody has signed in, with a key. */
interface OperatedTestAccount {
  key: string
  owner: TestSession
  /** Below `/operations`. */
  path: string
}

/** Returns what operators of an API do. */
export function createOperatorTester(api: TestApi) {
  const send = ({ headers }: Pick<TestSession, 'headers'>, method: Method, path: string, body?: object): Test =>
    supertest(api.app)[method](`${API_PREFIX}/operations${path}`).set(headers).send(body)
  return {
    send,
    openOperator: (options: TestSessionOptions = {}) => createTestSession(api, { isOperator: true, ...options }),
    async createAccount(): Promise<OperatedTestAccount> {
      const email = `${randomUUID()}@example.org`
      const key = await api.createKey({ email })
      const owner = await createTestSession(api, { email })
      return { key, owner, path: `/accounts/${owner.userId}` }
    },
    withKey: (key: string, path = '/usage/current'): Test =>
      supertest(api.app).get(`${API_PREFIX}${path}`).set('X-API-Key', key),
    /** Returns what operators did to an account, the latest first. */
    readActions: async (operator: TestSession, id: string) =>
      (await send(operator, 'get', `/actions?account_id=${id}`)).body.data.actions,
  }
}
