import { text } from 'node:stream/consumers'
import { nameCommand } from '@subtext/runtime'
import { runAdminProgram } from './admin-program.ts'
import { readSettings } from './env.ts'

const settings = readSettings()
const { code, out, err } = await runAdminProgram(process.argv.slice(2), {
  commandName: nameCommand(process.argv[1] ?? '', 'admin', settings.npm_lifecycle_event),
  settings,
  readInput: () => text(process.stdin),
  onWait: (line) => void process.stderr.write(`${line}\n`),
})
process.stdout.write(out)
process.stderr.write(err)
process.exit(code)
