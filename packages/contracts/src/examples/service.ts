import type { ServiceIndex } from '../routes/service.ts'
import { API } from './meta.ts'

const ORIGIN = new URL(API).origin

export const SERVICE_INDEX: ServiceIndex = {
  name: 'Subtext',
  description: 'Turns public videos into transcripts and summaries.',
  documentation: {
    reference: `${API}/docs`,
    quick_start: `${API}/docs/guides/quick-start`,
    errors: `${API}/docs/errors`,
    openapi: `${API}/openapi.json`,
    llms: `${ORIGIN}/llms.txt`,
  },
  resources: [
    {
      name: 'videos',
      description: 'Submit videos, follow their jobs, read their results.',
      operations: [
        {
          method: 'POST',
          url: `${API}/videos/process`,
          operation_id: 'submitVideo',
          summary: 'Submit a video',
        },
      ],
    },
  ],
}
