import { type RouteShape, videos } from '@subtext/contracts'

/** The whole API, for the OpenAPI document and for tests that go through all of it. */
export const ROUTES: RouteShape[] = Object.values(videos)
