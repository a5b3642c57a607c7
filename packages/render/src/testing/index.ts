export { buildCues, buildSampleResult, inParts } from './sample-result.ts'
