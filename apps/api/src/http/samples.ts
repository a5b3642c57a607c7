import { ServiceError } from '@subtext/contracts'
import { readSamplePodcast } from '@subtext/sample-platform'
import type { Express, Request, Response } from 'express'

/** Serves the files of the sample podcast, so that its feed can be looked at. The service itself reads them without a request. */
export function mountSamples(app: Express): void {
  app.get('/samples/{*path}', (request, response) => {
    const file = readSamplePodcast(request.path)
    if (!file) throw new ServiceError('NOT_FOUND')
    response.set('Cache-Control', 'public, max-age=3600')
    if (typeof file.body === 'string') response.type(`${file.contentType}; charset=utf-8`).send(file.body)
    else sendSound(request, response.type(file.contentType), file.body)
  })
}

/** Sends a sound, or the part of it that is asked for: players jump to a moment that they have not loaded. */
function sendSound(request: Request, response: Response, sound: Buffer): void {
  response.set('Accept-Ranges', 'bytes')
  const ranges = request.range(sound.length)
  const [range] = Array.isArray(ranges) && ranges.type === 'bytes' ? ranges : []
  if (!range) return void response.send(sound)
  response.status(206).set('Content-Range', `bytes ${range.start}-${range.end}/${sound.length}`)
  response.send(sound.subarray(range.start, range.end + 1))
}
