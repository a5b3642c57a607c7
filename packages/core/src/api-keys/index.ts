export { createApiKey, hashApiKey, type NewApiKey } from './create.ts'
export { changeKey, findKeys, type ListedKey, listApiKeys, parseKeySelector, stateOfKey } from './manage.ts'
export { createKeyUseRecorder, type KeyUseRecorder } from './record-use.ts'
export { createKeyVerifier, findInvalidKeys, isApiKey, refuseKey, type VerifyApiKey } from './verify.ts'
