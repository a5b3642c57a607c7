export { writtenCues } from './sample-cues.ts'
export { newSource } from './source.ts'
export { WESTERN_SAMPLES } from './western-samples.ts'
