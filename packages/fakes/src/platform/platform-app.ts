import { setTimeout as sleep } from 'node:timers/promises'
import express, { type Express, type NextFunction, type Request, type RequestHandler, type Response } from 'express'
import { buildCommentsPage, readContinuation } from './comments-page.ts'
import type { PlatformOutcome } from './fault-plan.ts'
import type { PlatformState } from './platform-state.ts'
import { CAPTCHA_PAGE, UNAVAILABLE } from './player-answers.ts'
import { buildPlayerResponse, buildVssId } from './player-response.ts'
import { describeRequest, readApiBody, readTrackKey, readUrl } from './read-request.ts'
import type { PlayerAnswer, SampleVideo } from './sample-video.ts'
import { buildSessionData } from './session-data.ts'
import { drawThumbnail } from './thumbnail.ts'
import { selectFormat } from './timedtext/render-track.ts'

const PLAYER_ID = 'a1b2c3d4'
const JSON_TYPE = 'application/json; charset=UTF-8'

/** Creates the platform's routes over one state. All hosts of the platform are served alike. */
export function createPlatformApp(state: PlatformState): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.use(express.json({ type: () => true, limit: '1mb' }))
  app.use(intercept(state))
  app.get('/sw.js_data', (_, response) => {
    response.type('application/json').send(buildSessionData(state.nextVisitor()))
  })
  app.get('/iframe_api', (_, response) => {
    response
      .type('text/javascript')
      .send(
        `var scriptUrl = 'https:\\/\\/www.youtube.com\\/s\\/player\\/${PLAYER_ID}\\/www-widgetapi.vflset\\/www-widgetapi.js';`,
      )
  })
  app.get(`/s/player/${PLAYER_ID}/player_es6.vflset/en_US/base.js`, (_, response) => {
    response.type('text/javascript').send('var a={signatureTimestamp:20649};')
  })
  app.post('/youtubei/v1/config', (_, response) => sendJson(response, { responseContext: {}, configData: 'sample' }))
  app.post('/youtubei/v1/visitor_id', (_, response) =>
    sendJson(response, { responseContext: { visitorData: state.nextVisitor() } }),
  )
  app.post('/youtubei/v1/player', sendMetadata(state), playVideo(state, 'player'))
  app.post('/youtubei/v1/reel/reel_item_watch', playVideo(state, 'reel'))
  app.post('/youtubei/v1/next', sendComments(state))
  app.get('/api/timedtext', sendCaptions(state))
  app.get('/vi/:videoId/:file', sendThumbnail(state))
  app.use((_, response) => {
    response.status(404).type('html').send('<!DOCTYPE html><title>404 Not Found</title>')
  })
  app.use((_error: unknown, _request: Request, response: Response, _next: NextFunction) => sendBadRequest(response))
  return app
}

function intercept(state: PlatformState): RequestHandler {
  return async (request, response, next) => {
    const record = describeRequest(request)
    response.on('finish', () => {
      record.status = response.statusCode
    })
    const outcome = state.faults.takeOutcome(record)
    const delayMs = state.faults.delayOf(record)
    state.record(record)
    if (delayMs > 0) await sleep(delayMs)
    await state.faults.untilReleased(record)
    if (outcome === null) next()
    else failRequest(response, outcome)
  }
}

function failRequest(response: Response, outcome: PlatformOutcome): void {
  if (outcome === 'hang') return
  if (outcome === 'reset') {
    response.destroy()
    return
  }
  response.status(outcome.status).set(outcome.headers ?? {})
  response.type(outcome.contentType ?? 'text/html').send(outcome.body ?? '')
}

function playVideo(state: PlatformState, endpoint: 'player' | 'reel'): RequestHandler {
  return (request, response) => {
    const body = readApiBody(request.body)
    if (body.client === null || body.videoId === null) return sendBadRequest(response)
    const visitorData = body.visitorData ?? request.get('x-goog-visitor-id') ?? state.nextVisitor()
    const context = { client: body.client, visitorData, now: Date.now() }
    const video = state.video(body.videoId)
    const { client, hasToken, hasTimestamp } = body
    const counted = state.counter.count(body.videoId, visitorData, { endpoint, client, hasToken, hasTimestamp })
    // On this route, the platform answers with an empty object for unknown videos.
    if (video === undefined && endpoint === 'reel') return sendJson(response, {})
    const shown = video ?? buildEmptyVideo(body.videoId)
    const answer: PlayerAnswer = video === undefined ? UNAVAILABLE : (video.play?.(counted) ?? { as: 'json' })
    const wrap = (player: object) => (endpoint === 'reel' ? { playerResponse: player } : player)
    switch (answer.as) {
      case 'json':
        return sendJson(response, wrap(buildPlayerResponse(answer.decoy ?? shown, answer, context)))
      case 'truncated': {
        const whole = JSON.stringify(wrap(buildPlayerResponse(shown, { as: 'json' }, context)))
        response.type(JSON_TYPE).send(whole.slice(0, whole.length / 2))
        return
      }
      case 'http':
        response.status(answer.status).type(answer.contentType).send(answer.body)
        return
      case 'hang':
        return
    }
  }
}

/** Answers requests with `$fields`, a selection of fields. Videos refused on other routes are not refused here. */
function sendMetadata(state: PlatformState): RequestHandler {
  return (request, response, next) => {
    const fields = readUrl(request).searchParams.get('$fields')?.split(',')
    const { client, videoId, visitorData } = readApiBody(request.body)
    const video = state.video(videoId)
    if (!fields || client === null || video === undefined) return next()
    const context = { client, visitorData: visitorData ?? state.nextVisitor(), now: Date.now() }
    const whole = Object.entries(buildPlayerResponse(video, { as: 'json' }, context))
    sendJson(response, Object.fromEntries(whole.filter(([name]) => fields.includes(name))))
  }
}

function sendComments(state: PlatformState): RequestHandler {
  return (request, response) => {
    const { continuation, videoId } = readApiBody(request.body)
    if (continuation === null) {
      if (videoId === null) return sendBadRequest(response)
      const watch = { twoColumnWatchNextResults: { results: { results: { contents: [] } } } }
      return sendJson(response, { responseContext: {}, contents: watch })
    }
    const position = readContinuation(continuation)
    const video = state.video(position?.videoId ?? null)
    if (position === null || video === undefined) return sendBadRequest(response)
    sendJson(response, buildCommentsPage(video, position.offset))
  }
}

function sendCaptions(state: PlatformState): RequestHandler {
  return (request, response) => {
    const url = readUrl(request)
    const video = state.video(url.searchParams.get('v'))
    // The platform rate-limits machine translation hardest; clients should not depend on it.
    if (url.searchParams.has('tlang')) {
      response.status(429).type('html').send(CAPTCHA_PAGE)
      return
    }
    const key = readTrackKey(url)
    const track = video?.tracks.find((candidate) => buildVssId(candidate) === key)
    if (video === undefined || track === undefined) {
      response.status(404).type('html').send('')
      return
    }
    const payload = state.payload(video, track, selectFormat(url.searchParams.get('fmt')))
    const hasToken = url.searchParams.has('pot') && url.searchParams.get('potc') === '1'
    const gated = url.searchParams.get('exp') === 'xpe' && !hasToken
    response.type(payload.contentType).send(gated ? '' : (track.body ?? payload.body))
  }
}

function sendThumbnail(state: PlatformState): RequestHandler {
  return (request, response) => {
    const [, , videoId = '', file = ''] = readUrl(request).pathname.split('/')
    const video = state.video(videoId)
    const image =
      video === undefined ? null : drawThumbnail(videoId, file.replace(/\.\w+$/, ''), video.highDefinition !== false)
    if (image === null) response.status(404).type('html').send('')
    else response.type('image/png').send(image)
  }
}

function buildEmptyVideo(id: string): SampleVideo {
  return {
    id,
    title: '',
    language: '',
    purpose: '',
    author: '',
    channelId: '',
    description: '',
    lengthSeconds: 0,
    published: '',
    viewCount: 0,
    tracks: [],
  }
}

function sendJson(response: Response, body: object): void {
  response.type(JSON_TYPE).send(JSON.stringify(body))
}

function sendBadRequest(response: Response): void {
  const message = 'Request contains an invalid argument.'
  const errors = [{ message, domain: 'global', reason: 'badRequest' }]
  response.status(400)
  sendJson(response, { error: { code: 400, message, errors, status: 'INVALID_ARGUMENT' } })
}
