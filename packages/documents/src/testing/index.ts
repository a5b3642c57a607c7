export { buildSample } from './infographics.ts'
