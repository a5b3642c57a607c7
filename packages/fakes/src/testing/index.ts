export { renderTrack, type TimedtextFormat } from '@subtext/sample-platform/protocol'
export * from './platform-client.ts'
