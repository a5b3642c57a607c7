export { createApiKey, hashApiKey, type NewApiKey } from './create.ts'
export { findKeyHolders, insertApiKey, type KeyHolder } from './keys-sql.ts'
export {
  changeKey,
  findKeys,
  type KeyChange,
  type ListedKey,
  parseKeySelector,
  type StoredApiKey,
  stateOfKey,
  toStoredKey,
} from './manage.ts'
export { createKeyUseRecorder, type KeyUseRecorder } from './record-use.ts'
export { createKeyVerifier, findInvalidKeys, refuseKey, type VerifyApiKey } from './verify.ts'
