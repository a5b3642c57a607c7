// Submits the URLs of a file, one in each line, as batches of 100, and prints a line for each video:
//   npx tsx examples/src/batch-from-file.ts urls.txt
import { readFile } from 'node:fs/promises'
import { Subtext } from '@subtext/sdk'

const [, , file = 'urls.txt'] = process.argv
const MAX_BATCH = 100
const subtext = new Subtext()

const lines = (await readFile(file, 'utf8')).split('\n').map((line) => line.trim())
const urls = lines.filter((line) => line !== '' && !line.startsWith('#'))
for (let start = 0; start < urls.length; start += MAX_BATCH) {
  const videos = urls.slice(start, start + MAX_BATCH).map((url) => ({ url }))
  const { batch_id } = await subtext.batches.submit({ videos, client_reference: `${file}:${start + 1}` })
  const { jobs } = await subtext.batches.waitFor(batch_id)
  for (const { video_url, video_title, status, error } of jobs) {
    process.stdout.write(`${status}\t${video_url}\t${video_title ?? error?.message ?? ''}\n`)
  }
}
