/** Length and indexes of the fields that a client reads from `/sw.js_data`, an array without field names. */
const DEVICE_INFO_LENGTH = 110
const FIELDS: Readonly<Record<number, string>> = {
  0: 'en',
  1: 'US',
  3: '127.0.0.1',
  11: '',
  12: '',
  16: '2.20260623.01.00',
  17: 'Windows',
  18: '10.0',
  79: 'UTC',
  86: 'Chrome',
  87: '140.0.0.0',
  103: 'sample-device',
  107: 'sample-rollout',
}
const VISITOR_DATA = 13
const CONFIG_INFO = 61

/**
 * Builds the identity of a visitor, unique for each `number`: URL-encoded base64 of a protobuf message with an
 * 11-character ID (field 1) and a time in seconds (field 5).
 */
export function buildVisitorData(number: number): string {
  const id = Buffer.from(`smpl${String(number).padStart(7, '0')}`.slice(-11))
  const seconds: number[] = []
  let rest = 1_780_000_000
  while (rest > 127) {
    seconds.push((rest % 128) + 128)
    rest = Math.floor(rest / 128)
  }
  seconds.push(rest)
  const message = Buffer.concat([Buffer.from([0x0a, id.length]), id, Buffer.from([0x28, ...seconds])])
  return encodeURIComponent(message.toString('base64'))
}

export function buildSessionData(visitorData: string): string {
  const device: unknown[] = Array.from({ length: DEVICE_INFO_LENGTH }, (_, index) => FIELDS[index] ?? null)
  device[VISITOR_DATA] = visitorData
  device[CONFIG_INFO] = [null, 'sample-install']
  return `)]}'\n${JSON.stringify([[null, null, [[device], 'sample-api-key']]])}`
}
