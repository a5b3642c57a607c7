import { cpus } from 'node:os'
import { createUndo } from '@subtext/testbed'
import { canReadCpuTime } from './cpu-time.ts'
import { PARTS, SEPARATE_PARTS } from './parts.ts'

const startedAt = performance.now()
const say = (text: string): void =>
  console.error(`[${((performance.now() - startedAt) / 1_000).toFixed(0).padStart(3)} s] ${text}`)

const undo = createUndo()

async function main([name, ...words]: string[]): Promise<void> {
  const all = { ...PARTS, ...SEPARATE_PARTS }
  const chosen = name === undefined ? Object.entries(PARTS) : Object.entries(all).filter(([part]) => part === name)
  if (chosen.length === 0) throw new Error(`There is no part "${name}", only ${Object.keys(all).join(', ')}.`)
  if (!canReadCpuTime()) throw new Error('The bench needs the CPU times of the scheduler, which only Linux has.')
  const { platform, arch, version } = process
  console.log(`${cpus().length} x ${cpus()[0]?.model}, ${platform}-${arch}, Node ${version}`)
  for (const [part, measure] of chosen) {
    say(part)
    console.log(`\n${await measure({ say, words, undo })}`)
    await undo.run()
  }
}

const interrupted = new Promise<never>((_, reject) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => reject(new Error(`Interrupted by ${signal}.`)))
  }
})

const code = await Promise.race([main(process.argv.slice(2)), interrupted]).then(
  () => 0,
  (error: Error) => {
    console.error(error.stack)
    return 1
  },
)
say('stopping everything')
await undo.run()
process.exit(code)
