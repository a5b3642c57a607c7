import { parseArgs } from 'node:util'
import { createHttpTokenProvider, describeCanary, runCanary } from '@subtext/youtube'
import { readPlatformEnv } from './env.ts'

const USAGE = `Usage: npm run --silent canary -- [--json] [VIDEO_ID]

Asks the video platform for the captions of a video as every app of YOUTUBE_CLIENTS, directly and over each of PROXY_URLS.
Exit code 0: some app gets them over every way out; 1: over some way out none does; 2: the call is wrong.`

/** The platform's first video, which has had captions for years. */
const KNOWN_VIDEO = 'jNQXAC9IVRw'

const readCall = (args: string[]): { json: boolean; videoId: string } | null => {
  try {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { json: { type: 'boolean' } } })
    const [videoId = KNOWN_VIDEO, ...others] = positionals
    return others.length > 0 || !/^[\w-]{11}$/.test(videoId) ? null : { json: values.json === true, videoId }
  } catch {
    return null
  }
}

async function main(args: string[]): Promise<number> {
  if (args.some((arg) => arg === '--help' || arg === '-h')) {
    process.stdout.write(`${USAGE}\n`)
    return 0
  }
  const call = readCall(args)
  if (!call) {
    process.stderr.write(`${USAGE}\n`)
    return 2
  }
  const { YOUTUBE_ORIGIN, PROXY_URLS, YOUTUBE_CLIENTS, PO_TOKEN_ORIGIN } = readPlatformEnv()
  const report = await runCanary({
    videoId: call.videoId,
    origin: YOUTUBE_ORIGIN,
    proxyUrls: PROXY_URLS ?? [],
    clients: YOUTUBE_CLIENTS,
    tokens: PO_TOKEN_ORIGIN ? createHttpTokenProvider(PO_TOKEN_ORIGIN) : undefined,
  })
  process.stdout.write(`${call.json ? JSON.stringify(report) : describeCanary(report)}\n`)
  return report.works ? 0 : 1
}

process.exitCode = await main(process.argv.slice(2)).catch((error: Error) => {
  process.stderr.write(`${error.message}\n`)
  return 2
})
// Connections that are kept open would hold the process for a while.
process.exit()
