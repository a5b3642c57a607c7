import type { VideoTable } from '../routes/tables.ts'
import { JOB_ID, VIDEO_ID, VIDEO_URL } from './meta.ts'
import type { OperationExamples } from './operation-examples.ts'

const QUESTION = 'What did she map?'

const RUNNING: VideoTable = {
  table_id: '0193a1f5-1b0e-7c55-9d2c-6c1a2f3e4d5b',
  status: 'processing',
  columns: [QUESTION],
  rows: [
    {
      job_id: JOB_ID,
      video_id: VIDEO_ID,
      video_url: VIDEO_URL,
      video_title: 'The woman who mapped the sea floor',
      cells: { [QUESTION]: null },
    },
  ],
  created_at: '2025-11-21T10:00:00.000Z',
}

const TABLE: VideoTable = {
  ...RUNNING,
  status: 'completed',
  rows: RUNNING.rows.map((row) => ({
    ...row,
    cells: {
      [QUESTION]: {
        value: 'Later she mapped the ocean.',
        citations: [{ segment_id: 5, start: 12.4, url: `${VIDEO_URL}&t=12s`, quote: 'Later she mapped the ocean.' }],
      },
    },
  })),
}

const accepted: OperationExamples = {
  response: 'The table, whose cells are being filled. `Location` is its path.',
  data: { accepted: { summary: 'Accepted.', value: RUNNING } },
}

export const TABLE_EXAMPLES: Record<string, OperationExamples> = {
  createBatchTable: accepted,
  createLibraryTable: accepted,
  getTable: {
    response: 'The table. `Retry-After` is present until its last cell is known.',
    data: { completed: { summary: 'Completed.', value: TABLE } },
    documents: {
      'text/csv': `"video_title","video_url","${QUESTION}"\r\n"The woman who mapped the sea floor","${VIDEO_URL}","Later she mapped the ocean."\r\n`,
      'text/markdown': `| video\\_title | video\\_url | ${QUESTION} |\n| --- | --- | --- |\n| The woman who mapped the sea floor | ${VIDEO_URL.replace('//', '\\//')} | Later she mapped the ocean. |\n`,
    },
  },
}
