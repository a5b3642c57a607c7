import type { account } from '@subtext/contracts'
import {
  createOwnKey,
  deleteOwnAccount,
  endOwnSession,
  getAccount,
  listOwnKeys,
  listOwnSessions,
  revokeOwnKey,
  updateAccount,
  updateOwnKey,
} from '@subtext/core/accounts'
import { disconnectOwnApp, listOwnApps } from '@subtext/core/oauth'
import { listExportedFiles } from '../exports/export-account.ts'
import type { Handlers } from '../http/mount.ts'
import { replyWithSecret } from '../http/reply.ts'
import { sendZip } from '../http/zip.ts'
import { presentAccount, presentApp, presentKey, presentSession } from '../presenters/account.ts'

export const accountHandlers: Handlers<typeof account> = {
  get: async (ctx, _input, { actor }) => ({ data: presentAccount(await getAccount(ctx, actor), actor) }),
  update: async (ctx, { body }, { actor }) => ({
    data: presentAccount(await updateAccount(ctx, actor, body), actor),
  }),
  delete: async (ctx, { body }, { actor }) => {
    await deleteOwnAccount(ctx, actor, body.confirm)
    return { headers: { 'Set-Cookie': ctx.signIn?.clearCookie ?? '' }, data: { deleted: true } }
  },
  export: async (ctx, _input, { actor, abortSignal }) => {
    const account = presentAccount(await getAccount(ctx, actor), actor)
    return {
      stream: async (response) => {
        const release = ctx.acquireExport(actor.userId)
        response.setHeader('Content-Disposition', 'attachment; filename="subtext-export.zip"')
        response.setHeader('Cache-Control', 'private, no-store')
        try {
          await sendZip(response, listExportedFiles(ctx, actor, account), abortSignal({ outlastsDraining: true }))
        } finally {
          release()
        }
      },
    }
  },
  keys: async (ctx, _input, { actor }) => {
    const keys = await listOwnKeys(ctx, actor)
    return { data: { keys: keys.map((key) => presentKey(key, ctx.clock())) } }
  },
  createKey: async (ctx, { body }, { actor, resource }) => {
    const { name, scopes, expires_at } = body
    const expiresAt = expires_at === undefined ? undefined : new Date(expires_at)
    const { key, ...created } = await createOwnKey(ctx, actor, { name, scopes, expiresAt }, resource)
    // A replay is told which key was created.
    return replyWithSecret({ ...presentKey(created, ctx.clock()), key })
  },
  updateKey: async (ctx, { params, body }, { actor }) => ({
    data: presentKey(await updateOwnKey(ctx, actor, params.key_id, body), ctx.clock()),
  }),
  revokeKey: async (ctx, { params }, { actor }) => ({
    data: presentKey(await revokeOwnKey(ctx, actor, params.key_id), ctx.clock()),
  }),
  sessions: async (ctx, _input, { actor }) => {
    const sessions = await listOwnSessions(ctx, actor)
    return { data: { sessions: sessions.map((session) => presentSession(session, actor)) } }
  },
  endSession: async (ctx, { params }, { actor }) => {
    await endOwnSession(ctx, actor, params.session_id)
    return { data: { ended: true } }
  },
  apps: async (ctx, _input, { actor }) => ({ data: { apps: (await listOwnApps(ctx, actor)).map(presentApp) } }),
  disconnectApp: async (ctx, { params }, { actor }) => {
    await disconnectOwnApp(ctx, actor, params.app_id)
    return { data: { disconnected: true } }
  },
}
