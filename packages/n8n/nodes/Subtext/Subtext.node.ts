import { type INodeType, type INodeTypeDescription, NodeConnectionTypes } from 'n8n-workflow'
import { batchFields } from './resources/batch'
import { importFields } from './resources/import'
import { libraryFields } from './resources/library'
import { sourceFields } from './resources/source'
import { videoFields } from './resources/video'

export class Subtext implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Subtext',
    name: 'subtext',
    icon: { light: 'file:../../icons/subtext.svg', dark: 'file:../../icons/subtext.dark.svg' },
    group: ['transform'],
    version: 1,
    subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
    description: 'Transcripts, summaries and search of public videos',
    defaults: { name: 'Subtext' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'subtextApi', required: true }],
    requestDefaults: {
      baseURL: '={{$credentials.baseUrl.trim().replace(/\\/+$/, "").replace(/\\/api\\/v1$/, "")}}/api/v1',
      headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
    },
    properties: [
      {
        displayName: 'Resource',
        name: 'resource',
        type: 'options',
        noDataExpression: true,
        options: [
          { name: 'Batch', value: 'batch' },
          { name: 'Import', value: 'import' },
          { name: 'Library', value: 'library' },
          { name: 'Source', value: 'source' },
          { name: 'Video', value: 'video' },
        ],
        default: 'video',
      },
      ...videoFields,
      ...batchFields,
      ...sourceFields,
      ...importFields,
      ...libraryFields,
    ],
  }
}
