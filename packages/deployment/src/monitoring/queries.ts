const RATE = '[$__rate_interval]'

/** Increase per second. */
export const rate = (metric: string, by = ''): string => `sum${by && ` by (${by})`} (rate(${metric}${RATE}))`
export const perMinute = (metric: string, by: string): string => `60 * ${rate(metric, by)}`
/** Increase per second of each series, as it is. */
export const rateOfEach = (metric: string): string => `rate(${metric}${RATE})`
export const quantile = (share: number, metric: string, by = '', selector = ''): string =>
  `histogram_quantile(${share}, ${rate(`${metric}_bucket${selector}`, by ? `le, ${by}` : 'le')})`
