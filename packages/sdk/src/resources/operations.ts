import type {
  DeletedOperatedAccount,
  OperatedAccount,
  OperatedAccountDetails,
  OperatedAccountList,
  OperatedAccountUpdate,
  Operations as OperationsOverview,
  OperatorAction,
  OperatorActionList,
  SupportLink,
} from '../generated/types.ts'
import { encodeId } from '../http/encode-id.ts'
import { createList, type List } from '../http/pages.ts'
import type { RequestOptions, Transport } from '../http/transport.ts'

export interface ListAccountsQuery {
  /** Finds only the account with this address. */
  email?: string
  /** Accounts per page, 1 to 100. Default: 100. */
  limit?: number
}

export interface ListActionsQuery {
  /** Lists only what was done to this account. */
  accountId?: string
  /** Actions per page, 1 to 100. Default: 100. */
  limit?: number
}

/** The service as its operators see it. Others are refused. */
export class Operations {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Returns the queue by lane, failing deliveries, counts of accounts and keys, and what language models have cost. */
  get(options: RequestOptions = {}): Promise<OperationsOverview> {
    return this.#transport.json({ ...options, method: 'GET', path: '/operations' })
  }

  /** Lists all accounts, newest first. */
  accounts({ email, limit = 100 }: ListAccountsQuery = {}, options: RequestOptions = {}): List<OperatedAccount> {
    return createList('accounts', (cursor) => {
      const query = { email, limit, cursor }
      return this.#transport.json<OperatedAccountList>({
        ...options,
        method: 'GET',
        path: '/operations/accounts',
        query,
      })
    })
  }

  /** Returns an account with its quotas, its keys, and whether it is suspended. */
  account(accountId: string, options: RequestOptions = {}): Promise<OperatedAccountDetails> {
    return this.#transport.json({ ...options, method: 'GET', path: pathOf(accountId) })
  }

  /** Moves an account to another plan, or gives it quotas of its own. */
  updateAccount(
    accountId: string,
    changes: OperatedAccountUpdate,
    options: RequestOptions = {},
  ): Promise<OperatedAccountDetails> {
    return this.#transport.json({ ...options, method: 'PATCH', path: pathOf(accountId), body: changes })
  }

  /** Suspends an account, within a second. */
  suspendAccount(accountId: string, reason?: string, options: RequestOptions = {}): Promise<OperatedAccountDetails> {
    const body = reason === undefined ? {} : { reason }
    return this.#transport.json({ ...options, method: 'POST', path: `${pathOf(accountId)}/suspend`, body })
  }

  /** Ends the suspension of an account. */
  restoreAccount(accountId: string, options: RequestOptions = {}): Promise<OperatedAccountDetails> {
    return this.#transport.json({ ...options, method: 'POST', path: `${pathOf(accountId)}/restore` })
  }

  /**
   * Deletes an account and everything that belongs to it. `email`: the address of the account, as a confirmation. Fails with
   * `REAUTHENTICATION_REQUIRED` if the last sign-in was more than ten minutes ago.
   */
  deleteAccount(accountId: string, email: string, options: RequestOptions = {}): Promise<DeletedOperatedAccount> {
    const call = {
      maxRetries: 0,
      ...options,
      method: 'DELETE',
      path: pathOf(accountId),
      body: { confirm: email },
    } as const
    return this.#transport.json(call)
  }

  /**
   * Creates a link with which the operator sees an account for support, for an hour. Fails with `REAUTHENTICATION_REQUIRED` if the
   * last sign-in was more than ten minutes ago.
   */
  createSupportLink(accountId: string, reason?: string, options: RequestOptions = {}): Promise<SupportLink> {
    const body = reason === undefined ? {} : { reason }
    return this.#transport.json({ ...options, method: 'POST', path: `${pathOf(accountId)}/sign-in-link`, body })
  }

  /** Lists what operators did, newest first. */
  actions({ accountId, limit = 100 }: ListActionsQuery = {}, options: RequestOptions = {}): List<OperatorAction> {
    return createList('actions', (cursor) => {
      const query = { account_id: accountId, limit, cursor }
      return this.#transport.json<OperatorActionList>({
        ...options,
        method: 'GET',
        path: '/operations/actions',
        query,
      })
    })
  }
}

const pathOf = (accountId: string): string => `/operations/accounts/${encodeId(accountId)}`
