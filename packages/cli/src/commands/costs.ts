import type { JobReceipt, SummaryMode } from '@subtext/sdk'
import type { CommandContext } from '../context.ts'
import { type ExitCode, FAILED, OK } from '../exit-codes.ts'
import { messageOf } from '../message.ts'
import { formatTable } from '../table.ts'
import { readNames } from './process.ts'

export const usd = (amount: number): string => `$${amount.toFixed(6)}`

/** What an estimate and a derived job can be asked for. */
interface SummaryOptions {
  mode?: string
  template?: string
  outputLanguage?: string
  instructions?: string
  maxCost?: number
  json?: boolean
}

/** Returns the fields that derived jobs and the options of videos have in common. */
const readSummaryOptions = ({ mode, template, outputLanguage, maxCost }: SummaryOptions) => ({
  ...(mode !== undefined && { summary_modes: readNames(mode) as SummaryMode[] }),
  ...(template !== undefined && { templates: readNames(template) }),
  ...(outputLanguage !== undefined && { output_language: outputLanguage }),
  ...(maxCost !== undefined && { max_cost_usd: maxCost }),
})

const readInstructions = ({ instructions }: SummaryOptions) =>
  instructions === undefined ? {} : { custom_instructions: instructions }

/** Prints what a video would cost, and whether it would be accepted. Exit code 1 if it would not. */
export async function showEstimate(ctx: CommandContext, url: string, options: SummaryOptions): Promise<ExitCode> {
  const { videos } = await ctx.connect()
  const video = { url, options: readSummaryOptions(options), ...readInstructions(options) }
  const estimate = await videos.estimate(video, { signal: ctx.signal })
  const { cost_usd: cost, cached, would_accept: isAccepted } = estimate
  if (options.json) ctx.print(JSON.stringify(estimate))
  else {
    ctx.print(
      formatTable([
        ['Accepted', isAccepted ? 'yes' : 'no'],
        ['Cost', `${usd(cost.expected)} (${usd(cost.low)} to ${usd(cost.high)})`],
        ['Based on', estimate.basis],
        ['Reused', cached.modes.join(', ') || 'nothing'],
        ['Seconds', String(estimate.seconds)],
      ]),
    )
    for (const violation of estimate.violations) ctx.note(messageOf({ ...violation, details: { ...violation } }))
  }
  return isAccepted ? OK : FAILED
}

/** Adds summaries to a completed job, and prints the ID of the new one. */
export async function deriveJob(ctx: CommandContext, jobId: string, options: SummaryOptions): Promise<ExitCode> {
  const { videos } = await ctx.connect()
  const added = { ...readSummaryOptions(options), ...readInstructions(options) }
  const job = await videos.derive(jobId, added, { signal: ctx.signal })
  ctx.print(options.json ? JSON.stringify(job) : job.job_id)
  return OK
}

/** Prints what a job has cost, line by line. */
export async function showReceipt(ctx: CommandContext, jobId: string, { json }: { json?: boolean }): Promise<ExitCode> {
  const { videos } = await ctx.connect()
  const receipt = await videos.receipt(jobId, { signal: ctx.signal })
  ctx.print(json ? JSON.stringify(receipt) : formatReceipt(receipt))
  return OK
}

const count = (quantity: number, unit: string): string => `${quantity} ${unit}${Math.abs(quantity) === 1 ? '' : 's'}`

const formatQuotaEffect = (videos: number): string =>
  videos === 0 ? 'uses no video of the quota' : `uses ${count(videos, 'video')} of the quota`

const formatReceipt = ({ lines, total, quota_effect }: JobReceipt): string =>
  formatTable([
    ...lines.map(({ mode, action, quantity, unit, cost_usd, message }) => [
      mode ?? action,
      count(quantity, unit),
      usd(cost_usd),
      message,
    ]),
    ['total', count(total.tokens, 'token'), usd(total.cost_usd), formatQuotaEffect(quota_effect)],
  ])
