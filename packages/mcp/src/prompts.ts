import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'

const ask = (text: string) => ({ messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] })

/** Registers prompts that users choose in their client. */
export function registerPrompts(server: McpServer): void {
  server.registerPrompt(
    'study_this_video',
    {
      title: 'Study this video',
      description: 'Study notes on a video, and questions to test what you have learned.',
      argsSchema: z.object({ video_url: z.string().describe('URL of the video.') }),
    },
    ({ video_url }) =>
      ask(
        `Call summarize_platform_video for ${video_url} with summary_modes ["study_notes", "timestamped"]. Then explain the most important ideas step by step, give the time of each in the video, and ask me five questions to test what I have learned, one at a time.`,
      ),
  )
  server.registerPrompt(
    'compare_videos',
    {
      title: 'Compare videos',
      description: 'What several videos say about the same subject: where they agree, and where they differ.',
      argsSchema: z.object({
        video_urls: z.string().describe('URLs of the videos, separated by spaces or commas.'),
        question: z.string().optional().describe('What to compare.'),
      }),
    },
    ({ video_urls, question }) =>
      ask(
        `Queue each of these videos with process_platform_video and summary_modes ["detailed"]: ${video_urls}. When their jobs have completed, read them with get_video_result and compare them${question ? ` on this question: ${question}` : ''}. Show in a table where they agree and where they differ, with the time of each statement.`,
      ),
  )
}
