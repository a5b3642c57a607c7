import type { INodeProperties } from 'n8n-workflow'
import {
  call,
  chooseOperation,
  DOCUMENT_FORMATS,
  download,
  idField,
  listFields,
  SUMMARY_MODES,
  showFor,
} from '../describe'

const BATCH = '{{ encodeURIComponent($parameter.batchId.trim()) }}'

export const batchFields: INodeProperties[] = [
  chooseOperation('batch', 'submit', [
    {
      name: 'Submit',
      value: 'submit',
      action: 'Submit a batch',
      description: 'Process up to 100 videos',
      routing: call({ method: 'POST', url: '/batch/process' }),
    },
    {
      name: 'Download',
      value: 'download',
      action: 'Download the documents of a batch',
      description: 'Download the documents of all videos in one archive',
      routing: download(`=/batch/export/${BATCH}`),
    },
    {
      name: 'Get Many',
      value: 'getAll',
      action: 'Get many batches',
      routing: call({ method: 'GET', url: '/batch/' }, 'data.batches'),
    },
    {
      name: 'Get Results',
      value: 'getResults',
      action: 'Get the results of a batch',
      description: 'Get the results that exist so far, one for each video',
      routing: call({ method: 'GET', url: `=/batch/results/${BATCH}` }, 'data.successful_jobs'),
    },
    {
      name: 'Get Status',
      value: 'getStatus',
      action: 'Get the status of a batch',
      routing: call({ method: 'GET', url: `=/batch/status/${BATCH}` }),
    },
    {
      name: 'Submit Videos of a Source',
      value: 'submitSource',
      action: 'Submit videos of a source',
      description: 'Process the newest videos of a playlist or channel',
      routing: call({ method: 'POST', url: '/batch/process' }),
    },
  ]),
  {
    displayName: 'Video URLs',
    name: 'urls',
    type: 'string',
    typeOptions: { rows: 4 },
    required: true,
    default: '',
    displayOptions: showFor('batch', 'submit'),
    description: 'One on each line',
    routing: {
      send: {
        type: 'body',
        property: 'videos',
        value:
          '={{ $value.split(/\\s+/).filter((url) => url).map((url) => ({ url, options: { summary_modes: $parameter.modes } })) }}',
      },
    },
  },
  { ...idField('Source ID', 'sourceId', 'batch', 'submitSource'), routing: sendSource('source_id') },
  {
    displayName: 'Newest',
    name: 'newest',
    type: 'number',
    typeOptions: { minValue: 1, maxValue: 100 },
    default: 10,
    displayOptions: showFor('batch', 'submitSource'),
    description: 'How many of the newest videos to process',
    routing: sendSource('select.newest'),
  },
  {
    displayName: 'Only New',
    name: 'notProcessed',
    type: 'boolean',
    default: true,
    displayOptions: showFor('batch', 'submitSource'),
    description: 'Whether to leave out videos that you have processed before',
    routing: sendSource('select.not_processed'),
  },
  {
    displayName: 'Summaries',
    name: 'modes',
    type: 'multiOptions',
    options: SUMMARY_MODES,
    default: ['tldr'],
    displayOptions: showFor('batch', 'submit', 'submitSource'),
    description: 'None at all gives the transcripts alone, which cost nothing',
    routing: {
      send: {
        type: 'body',
        property: 'options',
        value: '={{ $parameter.operation === "submitSource" ? { summary_modes: $value } : undefined }}',
      },
    },
  },
  {
    displayName: 'Webhook URL',
    name: 'batchWebhookUrl',
    type: 'string',
    default: '',
    displayOptions: showFor('batch', 'submit', 'submitSource'),
    description: 'Receives an event when the last video has ended, for example the URL of a Subtext Trigger',
    routing: { send: { type: 'body', property: 'webhook_url', value: '={{ $value || undefined }}' } },
  },
  idField('Batch ID', 'batchId', 'batch', 'download', 'getResults', 'getStatus'),
  {
    displayName: 'Format',
    name: 'batchFormat',
    type: 'options',
    options: DOCUMENT_FORMATS,
    default: 'markdown',
    displayOptions: showFor('batch', 'download'),
    routing: { send: { type: 'query', property: 'format' } },
  },
  ...listFields('batch', 'getAll', 100),
]

function sendSource(property: string): INodeProperties['routing'] {
  return { send: { type: 'body', property: `source.${property}` } }
}
