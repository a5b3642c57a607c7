import { setFlagsFromString } from 'node:v8'

// Most code of tests runs too briefly for its optimization to pay: with the budgets that are V8's own, the compiler took a
// fifth of the CPU time of unit tests. Later versions of V8 have no such budget.
if (Number.parseInt(process.versions.node, 10) < 24) setFlagsFromString('--interrupt-budget=2000000')

// Processes of tests do not give memory back while they wait, or only after an hour: eight seconds after a burst of work, V8
// collected the whole heap twice, which took an app a third of the CPU time of its start.
setFlagsFromString('--gc-memory-reducer-start-delay-ms=3600000')
