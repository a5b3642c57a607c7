import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'

// NIST SP 800-38D: 96 random bits are safe for 2^32 messages per key, with a tag of full length.
const NONCE_BYTES = 12
const TAG_BYTES = 16

export interface SecretKey {
  /** The ID stored with everything that this key seals. */
  id: string
  /** 32 bytes. */
  key: Uint8Array
}

/** Encrypts secrets for the store with AES-256-GCM. */
export interface SecretBox {
  /** ID of the key that seals. */
  readonly keyId: string
  /** Returns nonce, ciphertext and tag. `place` names where the result is stored; it cannot be opened anywhere else. */
  seal(text: string, place: string): Buffer
  /** Returns 32 secret bytes for a place that need not be stored: those of the key that seals, then those of the others. */
  derive(place: string): [Buffer, ...Buffer[]]
  /** Returns null if it was not sealed with any of the keys, or not for this place, or was changed. */
  open(sealed: Uint8Array, keyId: string, place: string): string | null
}

/** The first key seals; all of them open. */
export function createSecretBox(keys: readonly [SecretKey, ...SecretKey[]]): SecretBox {
  const [current] = keys
  return {
    keyId: current.id,
    seal(text, place) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', current.key, nonce, { authTagLength: TAG_BYTES })
      cipher.setAAD(Buffer.from(place))
      return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
    },
    derive(place) {
      const of = ({ key }: SecretKey): Buffer => createHmac('sha256', key).update(`derive ${place}`).digest()
      return [of(current), ...keys.slice(1).map(of)]
    },
    open(sealed, keyId, place) {
      // A key may have been renamed since, so try all of them, the named one first: the tag tells which one it was.
      const candidates = [...keys].sort((one, other) => Number(other.id === keyId) - Number(one.id === keyId))
      for (const { key } of candidates) {
        const text = openWith(key, sealed, place)
        if (text !== null) return text
      }
      return null
    },
  }
}

function openWith(key: Uint8Array, sealed: Uint8Array, place: string): string | null {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return null
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(place))
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  const start = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES))
  try {
    return Buffer.concat([start, decipher.final()]).toString('utf8')
  } catch {
    return null // It was sealed with another key or for another place, or changed.
  }
}
