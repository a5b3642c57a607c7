import { type Browser as AnyBrowser, openBrowser as openAnyBrowser, TEST_ORIGIN } from '@subtext/accounts/testing'
import type { Express } from 'express'
import supertest, { type Response } from 'supertest'

export type Browser = AnyBrowser<Response>

/** Opens a browser that reaches an app. */
export const openBrowser = (app: Express, origin = TEST_ORIGIN): Browser =>
  openAnyBrowser((method, path, headers, body) => {
    const request = supertest(app)[method](path).redirects(0).set(headers)
    return body === undefined ? request : request.send(body)
  }, origin)
