/** Collects steps that close what was opened. `run` takes them in reverse order, all of them, and throws the first error. */
export function createUndo() {
  const steps: (() => Promise<unknown>)[] = []
  return {
    add: (step: () => Promise<unknown>) => void steps.push(step),
    async run() {
      const errors: unknown[] = []
      for (const step of steps.splice(0).reverse()) await step().catch((error: unknown) => errors.push(error))
      if (errors.length > 0) throw errors[0]
    },
  }
}
export type Undo = ReturnType<typeof createUndo>
