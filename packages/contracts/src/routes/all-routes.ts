import type { RouteShape } from '../define-route.ts'
import { account } from './account.ts'
import { batches } from './batches.ts'
import { chats } from './chats.ts'
import { deletion } from './delete-job.ts'
import { deriving } from './derive-job.ts'
import { digests } from './digests.ts'
import { estimates } from './estimates.ts'
import { exporting } from './exporting.ts'
import { feeds } from './feeds.ts'
import { following } from './following.ts'
import { imports } from './import-captions.ts'
import { infographics } from './infographics.ts'
import { library } from './library.ts'
import { libraryChats } from './library-chats.ts'
import { lists } from './list.ts'
import { operatedAccounts } from './operated-accounts.ts'
import { operations } from './operations.ts'
import { receipts } from './receipts.ts'
import { service } from './service.ts'
import { sources } from './sources.ts'
import { subscriptions } from './subscriptions.ts'
import { tables } from './tables.ts'
import { templates } from './templates.ts'
import { thumbnails } from './thumbnails.ts'
import { usage } from './usage.ts'
import { videos } from './videos.ts'
import { webhooks } from './webhooks.ts'

/** All routes of the API, for the OpenAPI document and for tests that cover every route. */
export const ROUTES: RouteShape[] = [
  ...Object.values(videos),
  ...Object.values(imports),
  ...Object.values(lists),
  ...Object.values(thumbnails),
  ...Object.values(following),
  ...Object.values(infographics),
  ...Object.values(exporting),
  ...Object.values(deriving),
  ...Object.values(deletion),
  ...Object.values(estimates),
  ...Object.values(chats),
  ...Object.values(batches),
  ...Object.values(sources),
  ...Object.values(subscriptions),
  ...Object.values(feeds),
  ...Object.values(library),
  ...Object.values(templates),
  ...Object.values(tables),
  ...Object.values(libraryChats),
  ...Object.values(digests),
  ...Object.values(usage),
  ...Object.values(receipts),
  ...Object.values(webhooks),
  ...Object.values(account),
  ...Object.values(operations),
  ...Object.values(operatedAccounts),
  ...Object.values(service),
]
