import type { INodeProperties } from 'n8n-workflow'
import { call, chooseOperation, DOCUMENT_FORMATS, download, listFields, showFor } from '../describe'

const send = (property: string): INodeProperties['routing'] => ({
  send: { type: 'query', property, value: '={{ $value || undefined }}' },
})

export const libraryFields: INodeProperties[] = [
  chooseOperation('library', 'search', [
    {
      name: 'Search',
      value: 'search',
      action: 'Search the library',
      description: 'Find what was said in all your videos, to the moment',
      routing: call({ method: 'GET', url: '/library/search' }, 'data.hits'),
    },
    {
      name: 'Count Mentions',
      value: 'countMentions',
      action: 'Count mentions in the library',
      description: 'Count how often something was said',
      routing: call({ method: 'GET', url: '/library/mentions' }),
    },
    {
      name: 'Download',
      value: 'download',
      action: 'Download the library',
      description: 'Download the documents of all videos in one archive',
      routing: download('/library/export'),
    },
  ]),
  {
    displayName: 'Query',
    name: 'query',
    type: 'string',
    required: true,
    default: '',
    placeholder: '"soil maps" ocean -moon',
    displayOptions: showFor('library', 'search', 'countMentions'),
    routing: { send: { type: 'query', property: 'q' } },
  },
  {
    displayName: 'Kind',
    name: 'kind',
    type: 'options',
    options: [
      { name: 'Question', value: 'question', description: 'Any word may be missing, the best passages come first' },
      { name: 'Words', value: 'words', description: 'All words and phrases must be said' },
    ],
    default: 'words',
    displayOptions: showFor('library', 'search'),
    routing: { send: { type: 'query', property: 'kind' } },
  },
  {
    displayName: 'By',
    name: 'by',
    type: 'options',
    options: [
      { name: 'Channel', value: 'channel' },
      { name: 'Month', value: 'month' },
      { name: 'Video', value: 'video' },
    ],
    default: 'month',
    displayOptions: showFor('library', 'countMentions'),
    routing: { send: { type: 'query', property: 'by' } },
  },
  {
    displayName: 'Format',
    name: 'libraryFormat',
    type: 'options',
    options: DOCUMENT_FORMATS,
    default: 'obsidian',
    displayOptions: showFor('library', 'download'),
    routing: { send: { type: 'query', property: 'format' } },
  },
  {
    displayName: 'Since',
    name: 'since',
    type: 'string',
    default: '',
    placeholder: '2026-11-01',
    displayOptions: showFor('library', 'download'),
    description: 'Only what was completed on or after this day, or at or after this time',
    routing: send('since'),
  },
  {
    displayName: 'Source ID',
    name: 'librarySource',
    type: 'string',
    default: '',
    displayOptions: showFor('library', 'download', 'search'),
    description: 'Only videos of this playlist or channel',
    routing: send('source_id'),
  },
  ...listFields('library', 'search', 50),
]
