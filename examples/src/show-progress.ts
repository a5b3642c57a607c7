// Shows the progress of a job in one line of the terminal, and each summary as soon as it is written:
//   npx tsx examples/src/show-progress.ts https://www.youtube.com/watch?v=sbtx-en-map
import { Subtext } from '@subtext/sdk'

const [, , url = 'https://www.youtube.com/watch?v=sbtx-en-map'] = process.argv
const WIDTH = 30
const subtext = new Subtext()

const draw = (percentage: number, step: string): void => {
  const done = Math.round((percentage / 100) * WIDTH)
  const bar = '█'.repeat(done) + '░'.repeat(WIDTH - done)
  process.stderr.write(`\r${bar} ${percentage} % ${step.replaceAll('_', ' ').padEnd(20)}`)
}

const { job_id } = await subtext.videos.submit({ url, options: { summary_modes: ['tldr', 'key_insights'] } })
const job = await subtext.videos.waitFor(job_id, {
  onProgress: ({ progress_percentage, current_step }) => draw(progress_percentage, current_step),
  onSummary: ({ mode, text }) => process.stdout.write(`\n\n## ${mode}\n\n${text}\n`),
})
process.stderr.write('\n')
if (job.error) {
  process.stderr.write(`${job.error.code}: ${job.error.message}\n`)
  process.exitCode = 1
}
