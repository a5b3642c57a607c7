import type {
  IDataObject,
  IDisplayOptions,
  INodeProperties,
  INodePropertyOptions,
  INodePropertyRouting,
} from 'n8n-workflow'

type Request = NonNullable<INodePropertyRouting['request']>
type Output = NonNullable<INodePropertyRouting['output']>

export function showFor(resource: string, ...operation: string[]): IDisplayOptions {
  return { show: { resource: [resource], operation } }
}

/** The choice of an operation of a resource. */
export function chooseOperation(resource: string, first: string, options: INodePropertyOptions[]): INodeProperties {
  return {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: [resource] } },
    options,
    default: first,
  }
}

/** Takes what is at `path` out of the response. */
const take = (path: string): Output => ({ postReceive: [{ type: 'rootProperty', properties: { property: path } }] })

/** A request whose answer is an envelope. */
export const call = (request: Request, path = 'data'): INodePropertyRouting => ({ request, output: take(path) })

/** A request that answers when something has ended, repeated until it has. */
export const waitFor = (url: string, hasEnded: (status: string) => string): INodePropertyRouting => ({
  request: { method: 'GET', url, qs: { wait: 30 } },
  send: { paginate: true },
  operations: {
    pagination: {
      type: 'generic',
      properties: { continue: `={{ !(${hasEnded('$response.body.data.status')}) }}`, request: {} },
    },
  },
  output: {
    postReceive: [
      { type: 'rootProperty', properties: { property: 'data' } },
      { type: 'filter', properties: { pass: `={{ ${hasEnded('$responseItem.status')} }}` } },
    ],
  },
})

/** A request for a file, which becomes binary data. */
export const download = (url: string): INodePropertyRouting => ({
  request: { method: 'GET', url, encoding: 'arraybuffer', returnFullResponse: true, headers: { Accept: '*/*' } },
  output: {
    postReceive: [
      // Otherwise the item would have the bytes as JSON, too.
      { type: 'set', properties: { value: '={{ {} }}' } },
      { type: 'binaryData', properties: { destinationProperty: 'data' } },
    ],
  },
})

/** The query of the next page, which replaces the whole query. n8n evaluates it, though its types do not say so. */
const NEXT_PAGE =
  '={{ Object.assign({}, $request.qs, { cursor: $response.body?.data?.pagination?.next_cursor ?? undefined }) }}' as unknown as IDataObject

/** The fields of a list that has cursors. */
export const listFields = (resource: string, operation: string, maxPerPage: number): INodeProperties[] => [
  {
    displayName: 'Return All',
    name: 'returnAll',
    type: 'boolean',
    displayOptions: showFor(resource, operation),
    default: false,
    description: 'Whether to return all results or only up to a given limit',
    routing: {
      send: { paginate: '={{ $value }}', type: 'query', property: 'limit', value: String(maxPerPage) },
      operations: {
        pagination: {
          type: 'generic',
          properties: {
            continue: '={{ !!$response.body?.data?.pagination?.next_cursor }}',
            request: { qs: NEXT_PAGE },
          },
        },
      },
    },
  },
  {
    displayName: 'Limit',
    name: 'limit',
    type: 'number',
    displayOptions: { show: { resource: [resource], operation: [operation], returnAll: [false] } },
    typeOptions: { minValue: 1, maxValue: maxPerPage },
    default: 50,
    description: 'Max number of results to return',
    routing: { send: { type: 'query', property: 'limit' } },
  },
]

/** An ID that is part of the path. */
export const idField = (
  displayName: string,
  name: string,
  resource: string,
  ...operations: string[]
): INodeProperties => ({
  displayName,
  name,
  type: 'string',
  required: true,
  default: '',
  displayOptions: showFor(resource, ...operations),
})

export const SUMMARY_MODES: INodePropertyOptions[] = [
  { name: 'Detailed', value: 'detailed' },
  { name: 'Key Insights', value: 'key_insights' },
  { name: 'Study Notes', value: 'study_notes' },
  { name: 'Timestamped', value: 'timestamped' },
  { name: 'TL;DR', value: 'tldr' },
]

export const DOCUMENT_FORMATS: INodePropertyOptions[] = [
  { name: 'Chunks (JSON Lines)', value: 'chunks' },
  { name: 'CSV', value: 'csv' },
  { name: 'HTML', value: 'html' },
  { name: 'Markdown', value: 'markdown' },
  { name: 'Obsidian Note', value: 'obsidian' },
  { name: 'Plain Text', value: 'text' },
  { name: 'SubRip (SRT)', value: 'srt' },
  { name: 'WebVTT', value: 'vtt' },
]

/** What may be said about a submission, whatever is submitted. */
export const submissionOptions = (resource: string, ...operations: string[]): INodeProperties => ({
  displayName: 'Additional Fields',
  name: 'additionalFields',
  type: 'collection',
  placeholder: 'Add Field',
  default: {},
  displayOptions: showFor(resource, ...operations),
  options: [
    {
      displayName: 'Custom Instructions',
      name: 'customInstructions',
      type: 'string',
      typeOptions: { rows: 2 },
      default: '',
      description: 'What the summaries should focus on',
      routing: { send: { type: 'body', property: 'custom_instructions' } },
    },
    {
      displayName: 'Language',
      name: 'language',
      type: 'string',
      default: '',
      placeholder: 'de',
      description: 'Preferred language of the captions (BCP-47)',
      routing: { send: { type: 'body', property: 'options.language' } },
    },
    {
      displayName: 'Max Cost (USD)',
      name: 'maxCost',
      type: 'number',
      default: 0.1,
      description: 'What the summaries of a video may cost',
      routing: { send: { type: 'body', property: 'options.max_cost_usd' } },
    },
    {
      displayName: 'Reference',
      name: 'clientReference',
      type: 'string',
      default: '',
      description: 'A name of your own, which results and webhooks repeat',
      routing: { send: { type: 'body', property: 'client_reference' } },
    },
    {
      displayName: 'Webhook URL',
      name: 'webhookUrl',
      type: 'string',
      default: '',
      description: 'Receives an event at the end, for example the URL of a Subtext Trigger',
      routing: { send: { type: 'body', property: 'webhook_url' } },
    },
  ],
})

/** The summaries of a submission. */
export const summaryModes = (resource: string, ...operations: string[]): INodeProperties => ({
  displayName: 'Summaries',
  name: 'summaryModes',
  type: 'multiOptions',
  options: SUMMARY_MODES,
  default: ['tldr'],
  displayOptions: showFor(resource, ...operations),
  description: 'None at all gives the transcript alone, which costs nothing',
  routing: { send: { type: 'body', property: 'options.summary_modes' } },
})
