import {
  DEFAULT_QUOTAS,
  ERROR_HELP,
  ERRORS,
  FEATURES,
  FORMATS,
  PLAN_NAMES,
  PLANS,
  type PlanQuotas,
  SUMMARY_MODES,
  WARNINGS,
  WEBHOOK_EVENT_DEFINITIONS,
} from '@subtext/contracts'

const codeSpan = (text: string): string => `\`${text}\``

const writeRow = (cells: string[]): string => `| ${cells.join(' | ')} |`

/** Returns a Markdown table with a header row. */
const buildTable = (header: string[], rows: string[][]): string =>
  [writeRow(header), `|${header.map(() => '---|').join('')}`, ...rows.map(writeRow)].join('\n')

const buildErrorTable = (): string =>
  buildTable(
    ['status', 'code', 'retryable', 'meaning'],
    Object.entries(ERRORS).map(([code, { status, retryable, message }]) => [
      String(status),
      codeSpan(code),
      retryable ? 'yes' : 'no',
      message,
    ]),
  )

const buildWarningTable = (): string =>
  buildTable(
    ['code', 'meaning'],
    Object.entries(WARNINGS).map(([code, meaning]) => [codeSpan(code), meaning]),
  )

/** One section per code, whose heading other texts can link to. */
const buildErrorHelp = (): string =>
  Object.entries(ERROR_HELP)
    .map(([code, { cause, remedy }]) => `### ${codeSpan(code)}\n\n${cause}\n\n**What to do:** ${remedy}`)
    .join('\n\n')

const buildFormatTable = (): string =>
  buildTable(
    ['`format`', 'media type', 'what it is'],
    Object.entries(FORMATS).map(([format, { mediaType, description }]) => [
      format === 'default' ? '(none)' : codeSpan(format),
      codeSpan(mediaType),
      description,
    ]),
  )

const buildEventTable = (): string =>
  buildTable(
    ['event', '`data`'],
    Object.entries(WEBHOOK_EVENT_DEFINITIONS).map(([event, { data }]) => [codeSpan(event), data]),
  )

const formatCount = (count: number): string => count.toLocaleString('en-US')

const UNLIMITED = 'unlimited'

const buildPlanTable = (quotas: PlanQuotas): string =>
  buildTable(
    ['plan', 'videos per day', 'videos per month', 'requests per hour', 'summary modes', 'includes'],
    PLAN_NAMES.map((name) => {
      const { requestsPerHour, summaryModes, features } = PLANS[name]
      const quota = quotas[name]
      const isComplete = summaryModes.length === SUMMARY_MODES.length
      return [
        codeSpan(name),
        quota ? formatCount(quota.daily) : UNLIMITED,
        quota ? formatCount(quota.monthly) : UNLIMITED,
        formatCount(requestsPerHour),
        isComplete ? 'all' : summaryModes.map(codeSpan).join(', '),
        features.flatMap((feature) => FEATURES[feature] ?? []).join(', ') || '-',
      ]
    }),
  )

/** The generated parts: by guide, then by the name in the comments that enclose the part there. */
export const GUIDE_TABLES: Record<string, Record<string, (quotas: PlanQuotas) => string>> = {
  'errors.md': { codes: buildErrorTable, warnings: buildWarningTable, help: buildErrorHelp },
  'formats.md': { formats: buildFormatTable },
  'limits.md': { plans: buildPlanTable },
  'webhooks.md': { events: buildEventTable },
}

/**
 * Returns the text of a guide with its tables up to date, for an installation with these quotas. Throws when the comments around
 * a table are missing.
 */
export function updateTables(guide: string, text: string, quotas: PlanQuotas = DEFAULT_QUOTAS): string {
  return Object.entries(GUIDE_TABLES[guide] ?? {}).reduce((updated, [name, build]) => {
    const begin = `<!-- ${name} -->\n`
    const end = `\n<!-- end of ${name} -->`
    const [from, to] = [updated.indexOf(begin), updated.indexOf(end)]
    if (from < 0 || to < from) throw new Error(`${guide} lacks the comments "${begin.trim()}" and "${end.trim()}".`)
    return updated.slice(0, from + begin.length) + build(quotas) + updated.slice(to)
  }, text)
}
