import { text } from 'node:stream/consumers'
import { runAdminProgram } from './admin-program.ts'
import { readSettings } from './env.ts'

const { code, out, err } = await runAdminProgram(process.argv.slice(2), {
  settings: readSettings(),
  readInput: () => text(process.stdin),
  onWait: (line) => void process.stderr.write(`${line}\n`),
})
process.stdout.write(out)
process.stderr.write(err)
process.exit(code)
