import type { CurrentUsage, Granularity, UsageHistory } from '../generated/types.ts'
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

/** What the account has used. */
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
  history(query: UsageHistoryQuery = {}, options: RequestOptions = {}): Promise<UsageHistory> {
    const { startDate, endDate, ...rest } = query
    return this.#transport.json({
      ...options,
      method: 'GET',
      path: '/usage/history',
      query: { start_date: startDate, end_date: endDate, ...rest },
    })
  }
}
