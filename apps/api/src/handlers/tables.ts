import { TABLE_FORMATS, type tables } from '@subtext/contracts'
import { createBatchTable, createLibraryTable, type FilledTable, getTable } from '@subtext/core/tables'
import type { Handlers } from '../http/mount.ts'
import { selectMediaType } from '../presenters/media-type.ts'
import { presentTable, renderTableCsv, renderTableMarkdown } from '../presenters/table.ts'

const POLL_SECONDS = '2'
const poll = (status: string): Record<string, string> =>
  status === 'processing' ? { 'Retry-After': POLL_SECONDS } : {}

const accept = (created: FilledTable) => ({
  headers: { Location: `/api/v1/tables/${created.table.id}` },
  data: presentTable(created),
})

async function* inOnePiece(text: string): AsyncIterable<string> {
  yield text
}

export const tableHandlers: Handlers<typeof tables> = {
  batch: async (ctx, { params, body }, { actor, resource }) =>
    accept(await createBatchTable(ctx, actor, params.batch_id, body, resource)),
  library: async (ctx, { body }, { actor, resource }) => accept(await createLibraryTable(ctx, actor, body, resource)),
  get: async (ctx, { params, query }, { actor, accepts }) => {
    const mediaType = query.format
      ? TABLE_FORMATS[query.format]
      : selectMediaType(Object.values(TABLE_FORMATS), accepts)
    const table = presentTable(await getTable(ctx, actor, params.table_id))
    if (mediaType === TABLE_FORMATS.json) return { headers: poll(table.status), data: table }
    const write = mediaType === TABLE_FORMATS.csv ? renderTableCsv : renderTableMarkdown
    return { headers: poll(table.status), mediaType, document: inOnePiece(write(table)) }
  },
}
