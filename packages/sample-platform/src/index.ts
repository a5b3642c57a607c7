export { fetchSample } from './fetch-sample.ts'
export { SAMPLE_TALKS, SAMPLES, type Sample } from './samples.ts'
