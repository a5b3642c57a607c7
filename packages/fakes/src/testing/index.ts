export * from '../platform/timedtext/render-track.ts'
export * from './platform-client.ts'
