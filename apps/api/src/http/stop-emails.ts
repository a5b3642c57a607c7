import { ServiceError } from '@subtext/contracts'
import { stopEmails } from '@subtext/core/subscriptions'
import { renderPlainPage } from '@subtext/render'
import type { Express, Request } from 'express'
import { validate as isUuid } from 'uuid'
import type { ApiContext } from '../context.ts'
import { refuseOtherMethods } from './mount.ts'
import { sendPlainPage } from './plain-page.ts'

const PATH = '/emails/stop/:subscription/:key'

const ASK = renderPlainPage(
  'Stop these emails',
  `<h1>Stop these emails?</h1><p>Subtext will not send you any more emails about this subscription. The subscription itself goes on.</p>
<form method="post"><button class="primary">Stop the emails</button></form>`,
)
const DONE = renderPlainPage(
  'Emails stopped',
  '<h1>The emails are stopped</h1><p class="note">You can turn them on again in the settings of the subscription.</p>',
)

function readLink({ params }: Request): { id: string; key: Buffer } {
  const { subscription, key } = params
  if (typeof key !== 'string' || !isUuid(subscription)) throw new ServiceError('NOT_FOUND')
  return { id: String(subscription), key: Buffer.from(key, 'base64url') }
}

/**
 * Mounts the page that stops the emails of a subscription without signing in. Programs that follow links of emails change nothing,
 * because only its button does; mail programs send what the button sends (RFC 8058).
 */
export function mountStopEmails(app: Express, ctx: ApiContext): void {
  app.get(PATH, (request, response) => {
    readLink(request)
    sendPlainPage(response, ASK)
  })
  app.post(PATH, async (request, response) => {
    const { id, key } = readLink(request)
    if (!(await stopEmails(ctx.db, id, key))) throw new ServiceError('NOT_FOUND')
    sendPlainPage(response, DONE)
  })
  refuseOtherMethods(app, PATH, ['GET', 'POST'])
}
