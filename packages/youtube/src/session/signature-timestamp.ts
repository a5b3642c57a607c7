import { PLATFORM } from './platform-address.ts'

const PLAYER_ID = /player\\?\/([0-9a-f]{8})\\?\//
const TIMESTAMP = /(?:signatureTimestamp|sts)\s?[=:]\s?"?(\d{5})\b/

/**
 * Fetches the number that identifies the version of the web player, which gets no captions without it
 * (https://github.com/JuanBindez/pytubefix/pull/578). Resolves to `undefined` if it cannot be found.
 */
export const fetchSignatureTimestamp = async (get: (url: URL) => Promise<string>): Promise<number | undefined> => {
  try {
    const [, playerId] = PLAYER_ID.exec(await get(new URL('/iframe_api', PLATFORM))) ?? []
    if (playerId === undefined) return undefined
    const player = await get(new URL(`/s/player/${playerId}/player_es6.vflset/en_US/base.js`, PLATFORM))
    const [, timestamp] = TIMESTAMP.exec(player) ?? []
    return timestamp === undefined ? undefined : Number(timestamp)
  } catch {
    return undefined // The platform may return captions without it.
  }
}
