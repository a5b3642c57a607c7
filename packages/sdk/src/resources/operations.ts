import type { OperatedAccount, OperatedAccountList, Operations as OperationsOverview } from '../generated/types.ts'
import { createList, type List } from '../http/pages.ts'
import type { RequestOptions, Transport } from '../http/transport.ts'

export interface ListAccountsQuery {
  /** Finds only the account with this address. */
  email?: string
  /** Accounts per page, 1 to 100. Default: 100. */
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
}
