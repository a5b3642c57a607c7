import type { Job } from '@subtext/sdk'
import { MultiBar, Presets } from 'cli-progress'
import type { CommandContext } from './context.ts'

/** Shows the progress of jobs. */
export interface Progress {
  update(label: string, job: Pick<Job, 'progress_percentage' | 'current_step'>): void
  /** Removes a job. */
  end(label: string): void
  /** Clears the lines while something else is written. */
  pause<T>(write: () => T): T
  close(): void
}

interface State {
  progress: number
  step: string
}

const NO_PROGRESS: Progress = {
  update: () => undefined,
  end: () => undefined,
  pause: (write) => write(),
  close: () => undefined,
}

const MAX_LABEL = 44
const BAR = 24
/** ` 100%  rendering infographic` */
const TEXT = 29
const NARROWEST = 20

/**
 * Returns the widths of label and bar for a terminal: a line that wraps would not be cleared. A bar of width 0 is left out.
 */
export function fitWidths(columns: number): { label: number; bar: number } {
  const label = Math.min(MAX_LABEL, Math.max(0, columns - BAR - TEXT - 3))
  if (label >= NARROWEST) return { label, bar: BAR }
  return { label: Math.min(MAX_LABEL, Math.max(0, columns - TEXT - 2)), bar: 0 }
}

/** Fits a label into a column. URLs of videos differ at their end. */
const fit = (text: string, width: number): string =>
  (text.length > width ? `…${text.slice(text.length - width + 1)}`.slice(0, width) : text).padEnd(width)

/** Draws bars on standard error if it is a terminal that can redraw lines, and nothing otherwise. */
export function openProgress({ terminal, environment }: CommandContext): Progress {
  const stream = terminal.stderr as NodeJS.WriteStream
  if (!stream.isTTY || environment.isDumb) return NO_PROGRESS
  const states = new Map<string, State>()
  const drawn = new Map<string, ReturnType<MultiBar['create']>>()
  let bars: MultiBar | undefined

  const clear = (): void => {
    bars?.stop()
    bars = undefined
    drawn.clear()
  }
  const draw = (): void => {
    if (states.size === 0) return
    const { label: width, bar: barsize } = fitWidths(stream.columns ?? 80)
    bars ??= new MultiBar(
      {
        stream,
        format: barsize > 0 ? '{label} {bar} {percentage}%  {step}' : '{label} {percentage}%  {step}',
        barsize,
        clearOnComplete: true,
        // Changes no terminal state that would have to be restored if the program were killed.
        linewrap: true,
      },
      Presets.shades_classic,
    )
    for (const [label, { progress, step }] of states) {
      const payload = { label: fit(label, width), step }
      const bar = drawn.get(label) ?? bars.create(100, progress, payload)
      drawn.set(label, bar)
      bar.update(progress, payload)
    }
  }
  return {
    update(label, { progress_percentage, current_step }) {
      states.set(label, { progress: progress_percentage, step: current_step.replaceAll('_', ' ') })
      draw()
    },
    end(label) {
      states.delete(label)
      clear()
      draw()
    },
    pause(write) {
      clear()
      try {
        return write()
      } finally {
        draw()
      }
    },
    close: clear,
  }
}
