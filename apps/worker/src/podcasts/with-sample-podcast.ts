import { type Download, DownloadError } from '@subtext/core/sources'
import { readSamplePodcast } from '@subtext/sample-platform'

/** Lets the files of the sample podcast, which the installation at `origin` serves, be read without a request. */
export const withSamplePodcast =
  (download: Download, origin: string): Download =>
  async (url, options) => {
    const { origin: asked, pathname } = new URL(url)
    if (asked !== new URL(origin).origin || !pathname.startsWith('/samples/')) return download(url, options)
    const file = readSamplePodcast(pathname)
    if (!file) throw new DownloadError(404)
    return { url, body: Buffer.from(file.body), charset: 'utf-8' }
  }
