/** Collects steps that close what was opened. */
export interface Undo {
  add(step: () => Promise<unknown>): void
  /** Waits until something has started, and registers its end. */
  keep<T extends { close(): Promise<unknown> }>(starting: Promise<T>): Promise<T>
  /** Takes the steps in reverse order, all of them, and throws the first error. */
  run(): Promise<void>
}

export function createUndo(): Undo {
  const steps: (() => Promise<unknown>)[] = []
  return {
    add: (step) => void steps.push(step),
    async keep(starting) {
      const started = await starting
      steps.push(() => started.close())
      return started
    },
    async run() {
      const errors: unknown[] = []
      for (let step = steps.pop(); step; step = steps.pop()) {
        await step().catch((error: unknown) => errors.push(error))
      }
      if (errors.length > 0) throw errors[0]
    },
  }
}

/** Opens something that has several parts. If one of them fails to open, closes the others and throws its error. */
export async function openParts<T>(open: (undo: Undo) => Promise<T>): Promise<T> {
  const undo = createUndo()
  try {
    return await open(undo)
  } catch (error) {
    await undo.run()
    throw error
  }
}
