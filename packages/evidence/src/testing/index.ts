export { LIGHTHOUSE, lighthouseCues, linesOf, quoteFrom, segmentOf } from './lighthouse.ts'
