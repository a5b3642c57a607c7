import type { Plan } from '@subtext/contracts'
import { type StoredApiKey, toStoredKey } from '../api-keys/index.ts'
import type { PrismaContext } from '../context.ts'
import { createCursors, type PageOfList, type PageQuery, readPage } from '../cursor.ts'

export interface StoredOperatedAccount {
  id: string
  email: string
  name: string
  plan: Plan
  isOperator: boolean
  emailVerified: boolean
  createdAt: Date
  jobsAccepted: number
  jobsFailed: number
  /** Keys that are not revoked, newest first. */
  keys: StoredApiKey[]
}

const MAX_KEYS_SHOWN = 25

export interface AccountListQuery extends PageQuery {
  email?: string | undefined
}

export interface AccountList extends PageOfList {
  accounts: StoredOperatedAccount[]
}

/**
 * Returns all accounts, newest first, for operators. Error: `VALIDATION_ERROR` for a cursor of another list, or one sent
 * together with an offset.
 */
export async function listAccounts(
  { db: { prisma } }: Pick<PrismaContext, 'db'>,
  query: AccountListQuery,
): Promise<AccountList> {
  const where = { email: query.email?.trim().toLowerCase(), deletedAt: null }
  const cursors = createCursors({ list: `accounts ${where.email ?? null}`, status: null })
  const { entries: accounts, ...page } = await readPage(query, cursors, async ({ before, skip, limit }) => {
    const rows = await prisma.user.findMany({
      where: { ...where, id: { lt: before ?? undefined } },
      omit: { updatedAt: true, deletedAt: true },
      include: {
        apiKeys: {
          where: { revokedAt: null },
          omit: { hash: true },
          orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
          take: MAX_KEYS_SHOWN,
        },
      },
      orderBy: { id: 'desc' },
      skip,
      take: limit,
    })
    const entries = rows.map(({ apiKeys, ...account }) => ({ ...account, keys: apiKeys.map(toStoredKey) }))
    return { entries, total: await prisma.user.count({ where }) }
  })
  return { accounts, ...page }
}
