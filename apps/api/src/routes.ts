import {
  batches,
  following,
  lists,
  type RouteShape,
  service,
  thumbnails,
  usage,
  videos,
  webhooks,
} from '@subtext/contracts'

/** All routes of the API, for the OpenAPI document and for tests that cover every route. */
export const ROUTES: RouteShape[] = [
  ...Object.values(videos),
  ...Object.values(lists),
  ...Object.values(thumbnails),
  ...Object.values(following),
  ...Object.values(batches),
  ...Object.values(usage),
  ...Object.values(webhooks),
  ...Object.values(service),
]
