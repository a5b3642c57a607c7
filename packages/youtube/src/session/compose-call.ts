import { Session, type Types } from 'youtubei.js'

/** A call of the platform's API. */
export interface ApiCall {
  url: URL
  headers: Record<string, string>
  body: string
}

/** Fields of a call besides the context of the session; at least one. */
export type CallFields = Record<string, unknown>

type RenderCall = (fields: CallFields) => ApiCall

/** Composes a call of a route as an app. */
export type ComposeCall = (app: string, route: string, fields: CallFields) => Promise<ApiCall>

interface SentByLibrary {
  body: { context: unknown }
  composed: Omit<ApiCall, 'body'>
}

/** Lets the library compose one call of a route as an app, and returns a function that renders similar calls. */
const prepareCalls = async (session: Session, app: string, route: string): Promise<RenderCall> => {
  let sent: SentByLibrary | undefined
  const capture: Types.FetchFunction = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const composed = { url, headers: Object.fromEntries(new Headers(init?.headers)) }
    sent = { composed, body: JSON.parse(String(init?.body)) }
    return new Response('{}')
  }
  const { context, api_key, api_version, account_index, config_data } = session
  const composer = new Session(context, api_key, api_version, account_index, config_data, undefined, undefined, capture)
  await composer.actions.execute(route, { client: app })
  if (!sent) throw new TypeError('The library sent nothing.')
  const { composed, body } = sent
  const tail = `,"context":${JSON.stringify(body.context)}}`
  return (fields) => ({ ...composed, body: JSON.stringify(fields).slice(0, -1) + tail })
}

/**
 * Creates a function that composes the calls of a session exactly as the library does. The calls of an app to a route differ
 * only in what they ask, while the library would copy and render the whole context of the session for each.
 */
export const createCallComposer = (session: Session): ComposeCall => {
  const prepared = new Map<string, Promise<RenderCall>>()
  return async (app, route, fields) => {
    const key = `${app} ${route}`
    const rendering = prepared.get(key) ?? prepareCalls(session, app, route)
    prepared.set(key, rendering)
    return (await rendering)(fields)
  }
}
