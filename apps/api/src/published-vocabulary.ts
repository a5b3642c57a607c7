import {
  BUILT_IN_NAMES,
  BUILT_IN_TEMPLATES,
  commandNameOf,
  DELIVERY_STATUSES,
  DOCUMENT_FORMATS,
  FEATURES,
  type Feature,
  FORMATS,
  isTranscript,
  JOB_STATUSES,
  namePlanFor,
  namePlanForMode,
  PLAN_NAMES,
  type ResultFormat,
  SUMMARY_MODES,
  WEBHOOK_EVENT_TYPES,
} from '@subtext/contracts'

const BANNER = '// Generated from the tables of packages/contracts by `npm run generate`. Do not edit.\n'

interface List {
  name: string
  comment: string
  value: unknown
}

const describeFormat = (format: ResultFormat) => {
  const { name, extension } = FORMATS[format]
  return { name, extension, isTranscript: isTranscript(format), commandName: commandNameOf(format) }
}

const LISTS: List[] = [
  {
    name: 'SUMMARY_MODES',
    comment: 'The kinds of summary, in the order in which they are presented.',
    value: SUMMARY_MODES,
  },
  { name: 'PLAN_NAMES', comment: 'The plans, the smallest first.', value: PLAN_NAMES },
  { name: 'JOB_STATUSES', comment: 'The states of a job.', value: JOB_STATUSES },
  { name: 'DELIVERY_STATUSES', comment: 'The states of a delivery.', value: DELIVERY_STATUSES },
  {
    name: 'WEBHOOK_EVENT_TYPES',
    comment: 'The names of the events.',
    value: WEBHOOK_EVENT_TYPES,
  },
  {
    name: 'DOCUMENT_FORMATS',
    comment: 'The formats that are documents rather than JSON, by their value of `?format=`.',
    value: Object.fromEntries(DOCUMENT_FORMATS.map((format) => [format, describeFormat(format)])),
  },
  {
    name: 'BUILT_IN_TEMPLATES',
    comment: 'The templates that everyone has, by name, with what they are for.',
    value: Object.fromEntries(BUILT_IN_NAMES.map((name) => [name, BUILT_IN_TEMPLATES[name].description])),
  },
  {
    name: 'FEATURE_PLANS',
    comment: 'The displayed name of the lowest plan with each feature.',
    value: Object.fromEntries((Object.keys(FEATURES) as Feature[]).map((feature) => [feature, namePlanFor(feature)])),
  },
  {
    name: 'MODE_PLANS',
    comment: 'The displayed name of the lowest plan with each summary mode.',
    value: Object.fromEntries(SUMMARY_MODES.map((mode) => [mode, namePlanForMode(mode)])),
  },
]

/** Returns the lists as a module of constants. */
export const buildPublishedVocabulary = (): string =>
  [
    BANNER,
    ...LISTS.map(
      ({ name, comment, value }) =>
        `/** ${comment} */\nexport const ${name} = ${JSON.stringify(value, null, 2)} as const\n`,
    ),
  ].join('\n')
