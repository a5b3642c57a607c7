// Prints the summary of a video:
//   npx tsx examples/src/submit-and-wait.ts https://www.youtube.com/watch?v=sbtx-en-map
import { Subtext, SubtextError } from '@subtext/sdk'

const [, , url = 'https://www.youtube.com/watch?v=sbtx-en-map'] = process.argv
// Reads SUBTEXT_API_KEY and SUBTEXT_API_BASE.
const subtext = new Subtext()

try {
  const { video_info: video, summaries } = await subtext.videos.process({
    url,
    options: { summary_modes: ['tldr'] },
  })
  process.stdout.write(`${video.title}\n\n${summaries.tldr}\n`)
} catch (error) {
  if (!(error instanceof SubtextError)) throw error
  process.stderr.write(`${error.code}: ${error.message}\n`)
  process.exitCode = 1
}
