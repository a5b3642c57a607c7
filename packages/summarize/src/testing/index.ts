export * from '../extractive/samples/sample-cues.ts'
export * from '../extractive/samples/western.ts'
