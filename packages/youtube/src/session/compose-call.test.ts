import { Innertube } from 'youtubei.js'
import { createCallComposer } from './compose-call.ts'

interface Call {
  url: string
  headers: Record<string, string>
  body: Record<string, unknown>
}

/** Opens a session of the library that sends nothing, with the calls that it would have sent. */
const openLibrary = async (): Promise<{ library: Innertube; sent: Call[] }> => {
  const sent: Call[] = []
  const library = await Innertube.create({
    lang: 'en',
    retrieve_player: false,
    retrieve_innertube_config: false,
    generate_session_locally: true,
    fetch: async (input, init) => {
      const url = input instanceof Request ? input.url : String(input)
      const headers = Object.fromEntries(new Headers(init?.headers))
      sent.push({ url, headers, body: JSON.parse(String(init?.body)) })
      return new Response('{}')
    },
  })
  return { library, sent }
}

const FIELDS = { videoId: 'abcdefghijk', note: 'quotes " and \\ and 字', playerRequest: { deep: [1, null] } }

test.each([
  ['VISIONOS', '/player'],
  ['ANDROID', '/player'],
  ['ANDROID', '/reel/reel_item_watch'],
  ['IOS', '/player'],
  ['WEB', '/player?$fields=microformat,videoDetails'],
])('composes the calls of %s to %s exactly as the library does', async (app, route) => {
  const { library, sent } = await openLibrary()
  const compose = createCallComposer(library.session)
  const calls = [await compose(app, route, FIELDS), await compose(app, route, { videoId: 'zyxwvutsrqp' })]
  expect(sent).toEqual([])
  await library.actions.execute(route, { ...FIELDS, client: app })
  await library.actions.execute(route, { videoId: 'zyxwvutsrqp', client: app })
  expect(calls.map(({ url, headers, body }) => ({ url: url.href, headers, body: JSON.parse(body) }))).toEqual(sent)
})
