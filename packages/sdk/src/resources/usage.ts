import type {
  CurrentUsage,
  CursorPagination,
  Granularity,
  ReceiptList,
  UsageBreakdown,
  UsageHistory,
  UsageReceipt,
} from '../generated/types.ts'
import { createList, type List } from '../http/pages.ts'
import type { RequestOptions, Transport } from '../http/transport.ts'

export interface UsageHistoryQuery {
  /** A date, which is included, or a date and time (ISO 8601). */
  startDate?: string
  /** A date, which is included, or a date and time, which is not (ISO 8601). */
  endDate?: string
  /** Length of a period. Default: `daily`. */
  granularity?: Granularity
  /** Periods per response, 1 to 366. Default: 30. */
  limit?: number
  offset?: number
}

export interface UsageBreakdownQuery {
  /** A date (UTC), or a date and time (ISO 8601). Default: 30 days before the end. */
  startDate?: string
  /** A date, which is included, or a date and time (ISO 8601). Default: now. */
  endDate?: string
}

export interface ReceiptsQuery {
  /** A date, or a date and time (ISO 8601). Default: from the beginning. */
  startDate?: string
  /** A date, which is included, or a date and time, which is not (ISO 8601). Default: until now. */
  endDate?: string
  /** Receipts per page, 1 to 100. Default: 100. */
  limit?: number
}

/** Reports of what the account has used. */
export class Usage {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Returns the usage of the current month, the quotas and the request limit. */
  current(options: RequestOptions = {}): Promise<CurrentUsage> {
    return this.#transport.json({ ...options, method: 'GET', path: '/usage/current' })
  }

  /** Returns the usage of the calling key by period, newest first. */
  history(
    { startDate, endDate, ...rest }: UsageHistoryQuery = {},
    options: RequestOptions = {},
  ): Promise<UsageHistory> {
    const query = { start_date: startDate, end_date: endDate, ...rest }
    return this.#transport.json({ ...options, method: 'GET', path: '/usage/history', query })
  }

  /** Returns what the calling key has used, by endpoint, summary mode and key. Default: the last 30 days. */
  breakdown({ startDate, endDate }: UsageBreakdownQuery = {}, options: RequestOptions = {}): Promise<UsageBreakdown> {
    const query = { start_date: startDate, end_date: endDate }
    return this.#transport.json({ ...options, method: 'GET', path: '/usage/breakdown', query })
  }

  /** Lists the receipts of the calling key's work, newest first. */
  receipts(
    { startDate, endDate, limit }: ReceiptsQuery = {},
    options: RequestOptions = {},
  ): List<UsageReceipt, CursorPagination> {
    return createList('receipts', (cursor) => {
      const query = { start_date: startDate, end_date: endDate, limit, cursor }
      return this.#transport.json<ReceiptList>({ ...options, method: 'GET', path: '/usage/receipts', query })
    })
  }
}
