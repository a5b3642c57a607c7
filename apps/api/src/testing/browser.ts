import { type Browser, openBrowser as openAnyBrowser, TEST_ORIGIN } from '@subtext/accounts/testing'
import type { Express } from 'express'
import supertest, { type Response } from 'supertest'

export type ApiBrowser = Browser<Response>

/** Opens a browser that reaches an app. */
export const openBrowser = (app: Express, origin = TEST_ORIGIN): ApiBrowser =>
  openAnyBrowser((method, path, headers, body) => {
    const request = supertest(app)[method](path).redirects(0).set(headers)
    return body === undefined ? request : request.send(body)
  }, origin)
