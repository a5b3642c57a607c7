export { fetchSample } from './fetch-sample.ts'
export { findSampleVideo, isSampleVideoId, SAMPLE_TALKS, SAMPLES, type Sample } from './samples.ts'
