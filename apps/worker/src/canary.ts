import { parseArgs } from 'node:util'
import { nameCommand } from '@subtext/runtime'
import { isSampleVideoId } from '@subtext/sample-platform/id'
import {
  type CanaryReport,
  createHttpTokenProvider,
  describeCanary,
  renderCanaryMetrics,
  runCanary,
} from '@subtext/youtube'
import { readPlatformEnv, readRunningScript } from './env.ts'

const COMMAND = nameCommand(process.argv[1] ?? '', 'canary', readRunningScript())
const USAGE = `Usage: ${COMMAND} [--json | --metrics] [VIDEO_ID]

Requests the captions of a video as every app of YOUTUBE_CLIENTS, directly and through each of PROXY_URLS. Those of a sample
video, such as sbtx-en-map, come from the sample platform: they show that everything but the connection to the platform works.
Prints a report for people, as JSON, or as Prometheus metrics.
Exit code 0: at least one app gets them through every egress; 1: through some egress none does, or the platform answers in an
unknown format; 2: invalid arguments.`

/** The platform's first video, which has had captions for years. */
const DEFAULT_VIDEO = 'jNQXAC9IVRw'

type Describe = (report: CanaryReport) => string | Promise<string>

const parseCall = (args: string[]): { describe: Describe; videoId: string } | null => {
  try {
    const options = { json: { type: 'boolean' }, metrics: { type: 'boolean' } } as const
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
    const [videoId = DEFAULT_VIDEO, ...others] = positionals
    if (others.length > 0 || !/^[\w-]{11}$/.test(videoId) || (values.json && values.metrics)) return null
    const describeAsText = values.metrics ? renderCanaryMetrics : describeCanary
    return { describe: values.json ? (report) => JSON.stringify(report) : describeAsText, videoId }
  } catch {
    return null
  }
}

async function main(args: string[]): Promise<number> {
  if (args.some((arg) => arg === '--help' || arg === '-h')) {
    process.stdout.write(`${USAGE}\n`)
    return 0
  }
  const call = parseCall(args)
  if (!call) {
    process.stderr.write(`${USAGE}\n`)
    return 2
  }
  const { YOUTUBE_ORIGIN, SAMPLE_VIDEOS, PROXY_URLS, YOUTUBE_CLIENTS, PO_TOKEN_ORIGIN } = readPlatformEnv()
  const isSample = SAMPLE_VIDEOS && isSampleVideoId(call.videoId)
  const destination = isSample
    ? { fetch: (await import('@subtext/sample-platform')).fetchSample, proxyUrls: [] }
    : { origin: YOUTUBE_ORIGIN, proxyUrls: PROXY_URLS ?? [] }
  const report = await runCanary({
    videoId: call.videoId,
    ...destination,
    clients: YOUTUBE_CLIENTS,
    tokens: PO_TOKEN_ORIGIN ? createHttpTokenProvider(PO_TOKEN_ORIGIN) : undefined,
  })
  process.stdout.write(`${(await call.describe(report)).trimEnd()}\n`)
  return report.works && report.alarms.length === 0 ? 0 : 1
}

process.exitCode = await main(process.argv.slice(2)).catch((error: Error) => {
  process.stderr.write(`${error.message}\n`)
  return 2
})

// Connections that are still open would delay the exit.
process.exit()
