import type { VideoInfo } from '../routes/result.ts'

export const newVideoInfo = (videoId: string): VideoInfo => ({
  video_id: videoId,
  url: `https://www.youtube.com/watch?v=${videoId}`,
  title: 'A "title" with \u00e9, \u2028 and </script>',
  channel: { id: 'UC1', name: 'channel', url: 'https://www.youtube.com/channel/UC1' },
  description: '',
  published_at: null,
  duration_seconds: 30,
  thumbnail_url: 'https://i.ytimg.com/vi/x/hqdefault.jpg',
  language: 'en',
  is_live_archive: false,
  chapters: [],
})
