export { fetchSample } from './fetch-sample.ts'
export { readSamplePodcast } from './podcast.ts'
export { SAMPLE_TALKS, SAMPLES, type Sample } from './samples.ts'
