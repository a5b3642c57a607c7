import { z } from 'zod'
import { count, EnvError, flag, list, loadEnv } from './env.ts'

const Schema = z.object({ PORT: count(3000, 1, 65_535), HTTPS_ONLY: flag(false), NAMES: list.optional() })

describe('loadEnv', () => {
  test('fills defaults and turns text into values', () => {
    expect(loadEnv(Schema, { PORT: '8080', HTTPS_ONLY: 'true', NAMES: 'a, b,' })).toEqual({
      PORT: 8080,
      HTTPS_ONLY: true,
      NAMES: ['a', 'b'],
    })
    expect(loadEnv(Schema, { PORT: '' })).toEqual({ PORT: 3000, HTTPS_ONLY: false })
  })

  test('reports every wrong value at once', () => {
    const load = () => loadEnv(Schema, { PORT: 'x', HTTPS_ONLY: 'perhaps' })
    expect(load).toThrow(EnvError)
    expect(load).toThrow(/PORT[\s\S]*HTTPS_ONLY/)
  })
})
