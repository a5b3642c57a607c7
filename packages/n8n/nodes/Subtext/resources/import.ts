import type { INodeProperties } from 'n8n-workflow'
import { call, chooseOperation, showFor, submissionOptions, summaryModes } from '../describe'

export const importFields: INodeProperties[] = [
  chooseOperation('import', 'submit', [
    {
      name: 'Submit',
      value: 'submit',
      action: 'Import captions',
      description: 'Process captions of your own, such as those of a meeting',
      routing: call({ method: 'POST', url: '/videos/import' }),
    },
  ]),
  {
    displayName: 'Captions',
    name: 'captions',
    type: 'string',
    typeOptions: { rows: 4 },
    required: true,
    default: '',
    displayOptions: showFor('import', 'submit'),
    description: 'The text of the captions: SubRip, WebVTT, SBV, TTML, JSON of a speech service, or text with times',
    routing: { send: { type: 'body', property: 'captions' } },
  },
  {
    displayName: 'Title',
    name: 'title',
    type: 'string',
    required: true,
    default: '',
    displayOptions: showFor('import', 'submit'),
    routing: { send: { type: 'body', property: 'title' } },
  },
  {
    displayName: 'Media URL',
    name: 'mediaUrl',
    type: 'string',
    default: '',
    displayOptions: showFor('import', 'submit'),
    description: 'Where the recording can be watched or heard; citations link to moments of it',
    routing: { send: { type: 'body', property: 'media_url', value: '={{ $value || undefined }}' } },
  },
  summaryModes('import', 'submit'),
  submissionOptions('import', 'submit'),
]
