import { PLATFORM } from './platform-address.ts'

const PLAYER_ID = /player\\?\/([0-9a-f]{8})\\?\//
const TIMESTAMP = /(?:signatureTimestamp|sts)\s?[=:]\s?"?(\d{5})\b/

/**
 * The number by which the web player says which of its versions it is; without it the platform gives it no captions
 * (https://github.com/JuanBindez/pytubefix/pull/578). `undefined` when it cannot be found.
 */
export const fetchSignatureTimestamp = async (get: (url: URL) => Promise<string>): Promise<number | undefined> => {
  try {
    const [, playerId] = PLAYER_ID.exec(await get(new URL('/iframe_api', PLATFORM))) ?? []
    if (playerId === undefined) return undefined
    const player = await get(new URL(`/s/player/${playerId}/player_es6.vflset/en_US/base.js`, PLATFORM))
    const [, timestamp] = TIMESTAMP.exec(player) ?? []
    return timestamp === undefined ? undefined : Number(timestamp)
  } catch {
    return undefined // the platform may give captions without it
  }
}
