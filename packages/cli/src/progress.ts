import type { Job } from '@subtext/sdk'
import { MultiBar, Presets } from 'cli-progress'
import type { Context } from './context.ts'

/** Shows how far jobs are. */
export interface Progress {
  update(label: string, job: Pick<Job, 'progress_percentage' | 'current_step'>): void
  close(): void
}

const LABEL_WIDTH = 44
const fit = (label: string): string =>
  (label.length > LABEL_WIDTH ? `${label.slice(0, LABEL_WIDTH - 1)}…` : label).padEnd(LABEL_WIDTH)

/** Draws bars on the standard error if it is a terminal, and nothing otherwise. */
export function openProgress({ terminal }: Context): Progress {
  if (!terminal.stderr.isTTY) return { update: () => undefined, close: () => undefined }
  const bars = new MultiBar(
    {
      stream: terminal.stderr as NodeJS.WriteStream,
      format: '{label} {bar} {percentage} %  {step}',
      clearOnComplete: true,
      hideCursor: true,
      barsize: 24,
    },
    Presets.shades_classic,
  )
  const byLabel = new Map<string, ReturnType<typeof bars.create>>()
  return {
    update(label, { progress_percentage, current_step }) {
      const state = { label: fit(label), step: current_step.replaceAll('_', ' ') }
      const bar = byLabel.get(label) ?? bars.create(100, 0, state)
      byLabel.set(label, bar)
      bar.update(progress_percentage, state)
    },
    close: () => bars.stop(),
  }
}
