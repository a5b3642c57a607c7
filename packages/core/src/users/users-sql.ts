import type { Plan } from '@subtext/contracts'
import type { Sql, StoredPlan } from '@subtext/db'

export interface User {
  id: string
  email: string
  plan: Plan
}

// Prisma would cost a command that creates a key half of its CPU time.
const UPSERT_USER = `INSERT INTO users (id, email, plan) VALUES ($1, $2, $3)
  ON CONFLICT (email) DO UPDATE SET plan = excluded.plan
  RETURNING id, email, plan`

/** Creates the user, or moves the existing user with this address to `plan`. A plan that the database lacks does not compile. */
export async function upsertUser(sql: Sql, user: User & { plan: StoredPlan }): Promise<User> {
  const { rows } = await sql.query<User>(UPSERT_USER, [user.id, user.email, user.plan])
  const [stored] = rows
  if (!stored) throw new Error('The statement returned no user.')
  return stored
}

const SET_PLAN = 'UPDATE users SET plan = $2 WHERE email = $1'

/** Returns whether the user exists. */
export async function setUserPlan(sql: Sql, email: string, plan: Plan): Promise<boolean> {
  return (await sql.query(SET_PLAN, [email, plan])).rowCount > 0
}

const SET_OPERATOR = 'UPDATE users SET is_operator = $2 WHERE email = $1 AND deleted_at IS NULL'

/** Returns whether the user exists. */
export async function setUserOperator(sql: Sql, email: string, isOperator: boolean): Promise<boolean> {
  return (await sql.query(SET_OPERATOR, [email, isOperator])).rowCount > 0
}

export interface KnownUser extends User {
  /** Whether someone has proved that the address is theirs. */
  emailVerified: boolean
}

const FIND_USER = 'SELECT id, email, plan, email_verified AS "emailVerified" FROM users WHERE email = $1'

/** Finds the user with this address, which is stored in lower case. */
export async function findUserByEmail(sql: Sql, email: string): Promise<KnownUser | null> {
  return (await sql.query<KnownUser>(FIND_USER, [email])).rows[0] ?? null
}

/** Returns the password hash of the account with this address, or null if there is none. */
export async function findPasswordHash(sql: Sql, email: string): Promise<string | null> {
  const { rows } = await sql.query<{ password: string | null }>(
    `SELECT i.password FROM users u JOIN identities i ON i.user_id = u.id AND i.provider_id = 'credential'
     WHERE u.email = $1`,
    [email],
  )
  return rows[0]?.password ?? null
}
