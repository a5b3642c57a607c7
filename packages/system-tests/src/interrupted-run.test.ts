import { testInterruptions } from './interruptions.ts'

// npm passes signals on to jest. The others are sent at night: `nightly/interrupted-run.test.ts`.
testInterruptions([
  ['npm', 'SIGTERM'],
  ['jest', 'SIGKILL'],
])
