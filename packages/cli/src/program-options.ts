import { SUMMARY_MODES } from '@subtext/sdk/vocabulary'
import { InvalidArgumentError, Option } from 'commander'

export const VIDEOS = 'URLs or IDs of videos; `-` reads one per line from standard input'
export const MODES = `summaries to write, separated by commas: ${SUMMARY_MODES.join(', ')}`

export const json = (): Option => new Option('--json', 'print JSON, one line per result')
export const output = (): Option =>
  new Option('-o, --output <path>', 'write to a file, or one file per video to a folder (existing ones are skipped)')
export const format = (choices: string[], preset: string): Option =>
  new Option('-f, --format <format>', 'format of the output').choices(choices).default(preset)
export const templates = (): Option =>
  new Option('-t, --template <names>', 'forms to fill from the transcript, such as `quotes,minutes@2`')
export const language = (): Option =>
  new Option('-l, --language <tag>', 'preferred language of the captions, such as `de`')
export const outputLanguage = (): Option =>
  new Option('--output-language <tag>', 'language of the summaries, such as `de` (default: that of the captions)')
export const instructions = (): Option => new Option('--instructions <text>', 'what the summaries should focus on')
export const maxCost = (): Option =>
  new Option('--max-cost <usd>', 'what each video may cost, in US dollars; what does not fit is left out').argParser(
    parseUsd,
  )
export const noWait = (): Option => new Option('--no-wait', 'print the job IDs and do not wait')

export function parseCount(value: string): number {
  const count = Number(value)
  if (!Number.isInteger(count) || count < 1) throw new InvalidArgumentError('Must be a number of at least 1.')
  return count
}

function parseUsd(value: string): number {
  const amount = Number(value)
  if (value.trim() === '' || !Number.isFinite(amount) || amount < 0)
    throw new InvalidArgumentError('Must be a number of at least 0.')
  return amount
}
