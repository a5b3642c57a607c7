export { fetchSample } from './fetch-sample.ts'
export { isSampleVideoId } from './sample-id.ts'
export { SAMPLE_TALKS, SAMPLES, type Sample } from './samples.ts'
