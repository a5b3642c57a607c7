export * from './env.ts'
export * from './steady-port.ts'
export * from './tcp-link.ts'
export * from './wait-until.ts'
