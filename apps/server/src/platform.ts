import { SAMPLE_TALKS, startVideoPlatform } from '@subtext/fakes'

const DEFAULT_PORT = 3999

const platform = await startVideoPlatform({ port: Number(process.argv[2] ?? DEFAULT_PORT) })
console.log(`The sample video platform is listening at ${platform.origin}. To use it, start the service with`)
console.log(`  YOUTUBE_ORIGIN=${platform.origin} npm start`)
console.log('and submit one of these videos:')
for (const video of Object.values(SAMPLE_TALKS)) {
  console.log(`  https://www.youtube.com/watch?v=${video.id}  ${video.title}`)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => void platform.close().then(() => process.exit(0)))
}
