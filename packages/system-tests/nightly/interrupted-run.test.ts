import { testInterruptions } from '../src/interruptions.ts'

testInterruptions([
  ['npm', 'SIGINT'],
  ['jest', 'SIGTERM'],
])
