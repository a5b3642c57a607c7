import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { TEST_ORIGIN } from '@subtext/accounts/testing'
import type { Plan } from '@subtext/contracts'
import { authSecrets } from '../account-env.ts'
import { ApiEnv } from '../env.ts'
import type { TestApi } from './api.ts'

export interface TestSession {
  userId: string
  sessionId: string
  email: string
  /** What a page of the service sends with its requests. */
  headers: { Cookie: string; Origin: string }
}

export interface TestSessionOptions {
  email?: string
  plan?: Plan
  /** How long ago the person signed in. */
  ageMs?: number
  /** Makes the person an operator of the service. */
  isOperator?: boolean
}

/** Creates a person, if needed, who has signed in. */
export async function createTestSession(
  { context, settings }: Pick<TestApi, 'context' | 'settings'>,
  { email = `${randomUUID()}@example.org`, plan = 'pro', ageMs = 0, isOperator = false }: TestSessionOptions = {},
): Promise<TestSession> {
  const token = randomBytes(24).toString('base64url')
  const sessionId = randomUUID()
  const since = new Date(context.clock().getTime() - ageMs)
  const { rows } = await context.db.query<{ id: string }>(
    `WITH person AS (
       INSERT INTO users (id, email, plan, email_verified, is_operator) VALUES ($1, $2, $3, true, $7)
       ON CONFLICT (email) DO UPDATE SET email_verified = true, is_operator = $7 RETURNING id
     )
     INSERT INTO sessions (id, user_id, token, expires_at, authenticated_at, created_at, updated_at)
     SELECT $4, id, $5, $6::timestamptz + interval '7 days', $6, $6, $6 FROM person RETURNING user_id AS id`,
    [randomUUID(), email, plan, sessionId, token, since, isOperator],
  )
  const signature = createHmac('sha256', authSecrets(ApiEnv.parse(settings)).secret)
    .update(token)
    .digest('base64')
  const value = encodeURIComponent(`${token}.${signature}`)
  return {
    userId: rows[0]?.id ?? '',
    sessionId,
    email,
    headers: { Cookie: `${context.signIn?.cookieName}=${value}`, Origin: TEST_ORIGIN },
  }
}
