export type { EmbeddedServer, StartOptions } from './embedded-server.ts'
export { startPostgres } from './postgres.ts'
export { type EmbeddedRedis, findRedisServer, type RedisKind, type RedisOptions, startRedis } from './redis.ts'
export { type Embedded, type EmbeddedOptions, startEmbedded } from './start-embedded.ts'
