export { type PassageQuery, rankPassages } from './ranking/rank-passages.ts'
