import { createDecipheriv, randomBytes } from 'node:crypto'
import { anyCharacter } from '@subtext/runtime/testing'
import fc from 'fast-check'
import { createSecretBox } from './secret-box.ts'

const [first, second] = [
  { id: 'k1', key: randomBytes(32) },
  { id: 'k2', key: randomBytes(32) },
]
const box = createSecretBox([first])
const bytes = fc.uint8Array({ minLength: 0, maxLength: 60 })

test('opens a secret only at the place it was sealed for, and seals it differently every time', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: anyCharacter }).filter((text) => text.isWellFormed()),
      fc.string(),
      (text, place) => {
        const sealed = box.seal(text, place)
        expect(box.open(sealed, 'k1', place)).toBe(text)
        expect(sealed.equals(box.seal(text, place))).toBe(false)
        expect(box.open(sealed, 'k1', `${place}.`)).toBeNull()
      },
    ),
  )
})

test('uses AES-256-GCM and returns nonce, ciphertext and tag', () => {
  const sealed = box.seal('whsec_x', 'place')
  const decipher = createDecipheriv('aes-256-gcm', first.key, sealed.subarray(0, 12))
  decipher.setAAD(Buffer.from('place'))
  decipher.setAuthTag(sealed.subarray(-16))
  expect(decipher.update(sealed.subarray(12, -16), undefined, 'utf8') + decipher.final('utf8')).toBe('whsec_x')
})

test('opens neither a secret with any bit changed nor arbitrary bytes', () => {
  const sealed = box.seal('whsec_secret', 'place')
  fc.assert(
    fc.property(fc.nat(sealed.length * 8 - 1), (bit) => {
      const changed = Buffer.from(sealed)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(box.open(changed, 'k1', 'place')).toBeNull()
    }),
  )
  fc.assert(fc.property(bytes, (any) => expect(box.open(any, 'k1', 'place')).toBeNull()))
  expect(box.open(sealed.subarray(0, -1), 'k1', 'place')).toBeNull()
})

test('opens with every key, even a renamed one, and seals with the first', () => {
  const old = box.seal('old', 'place')
  const both = createSecretBox([second, first])
  expect(both.keyId).toBe('k2')
  expect(both.open(old, 'k1', 'place')).toBe('old')
  expect(createSecretBox([second, { ...first, id: 'renamed' }]).open(old, 'k1', 'place')).toBe('old')
  const fresh = both.seal('new', 'place')
  expect(createSecretBox([second]).open(fresh, 'k2', 'place')).toBe('new')
  expect(box.open(fresh, 'k2', 'place')).toBeNull()
  // The ID of a key does not matter if the key itself is another one.
  expect(createSecretBox([{ ...second, id: 'k1' }]).open(old, 'k1', 'place')).toBeNull()
})
