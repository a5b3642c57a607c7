import { ServiceError } from '@subtext/contracts'
import { readSamplePodcast } from '@subtext/sample-platform'
import type { Express } from 'express'

/** Serves the files of the sample podcast, so that its feed can be looked at. The service itself reads them without a request. */
export function mountSamples(app: Express): void {
  app.get('/samples/{*path}', ({ path }, response) => {
    const file = readSamplePodcast(path)
    if (!file) throw new ServiceError('NOT_FOUND')
    response.set({ 'Content-Type': `${file.contentType}; charset=utf-8`, 'Cache-Control': 'public, max-age=3600' })
    response.send(file.body)
  })
}
