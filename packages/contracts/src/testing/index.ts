export * from './check-exchange.ts'
export * from './read-events.ts'
export * from './speech.ts'
export * from './video-info.ts'
