import type { INodeProperties } from 'n8n-workflow'
import { call, chooseOperation, idField, listFields, showFor, waitFor } from '../describe'

const SOURCE = '{{ encodeURIComponent($parameter.source.trim()) }}'

export const sourceFields: INodeProperties[] = [
  chooseOperation('source', 'add', [
    {
      name: 'Add',
      value: 'add',
      action: 'Add a source',
      description: 'List a playlist, a channel or a podcast, which "Wait" follows to its end',
      routing: call({ method: 'POST', url: '/sources' }),
    },
    {
      name: 'Delete',
      value: 'delete',
      action: 'Delete a source',
      description: 'Forget a source; your videos stay',
      routing: {
        request: { method: 'DELETE', url: `=/sources/${SOURCE}` },
        output: { postReceive: [{ type: 'set', properties: { value: '={{ { "deleted": true } }}' } }] },
      },
    },
    {
      name: 'Get Many',
      value: 'getAll',
      action: 'Get many sources',
      routing: call({ method: 'GET', url: '/sources/' }, 'data.sources'),
    },
    {
      name: 'Get Videos',
      value: 'getVideos',
      action: 'Get the videos of a source',
      routing: call({ method: 'GET', url: `=/sources/${SOURCE}/videos` }, 'data.videos'),
    },
    {
      name: 'Wait',
      value: 'wait',
      action: 'Wait for a source',
      description: 'Wait until a source has been listed',
      routing: waitFor(`=/sources/${SOURCE}`, (status) => `${status} !== "listing"`),
    },
  ]),
  {
    displayName: 'URL',
    name: 'sourceUrl',
    type: 'string',
    required: true,
    default: '',
    placeholder: '@sbtx-lectures',
    displayOptions: showFor('source', 'add'),
    description: 'Address or ID of a playlist or channel, handle of a channel, or address of a podcast feed',
    routing: { send: { type: 'body', property: 'url' } },
  },
  idField('Source ID', 'source', 'source', 'delete', 'getVideos', 'wait'),
  {
    displayName: 'Only New',
    name: 'onlyNew',
    type: 'boolean',
    default: false,
    displayOptions: showFor('source', 'getVideos'),
    description: 'Whether to leave out videos that you have processed before',
    routing: { send: { type: 'query', property: 'not_processed', value: '={{ $value || undefined }}' } },
  },
  ...listFields('source', 'getAll', 100),
  ...listFields('source', 'getVideos', 100),
]
