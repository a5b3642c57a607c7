import { longVideo, type SampleVideo } from '@subtext/fakes'
import { type Client, watchUrl } from '@subtext/server/testing'
import type { Page } from 'playwright-core'
import type { DashboardWorld, Visitor } from './visitor.ts'

const TEN_HOURS = longVideo({ id: 'sbtx-10hour', hours: 10 })
/** As long as a reader can scroll in the test. */
const HALF_HOUR = longVideo({ id: 'sbtx-30mins', hours: 0.5 })
/** Frames that a transcript is scrolled for. */
const FRAMES = 120
/** A fast turn of the wheel. */
const STEP_PX = 400

interface Scrolled {
  /** Main-thread time for scripts, styles and layout, in seconds. */
  work: number
  /** The largest number of lines in the page at any time. */
  lines: number
}

/** Scrolls through the transcript, one step each frame, as a wheel does. */
const SCROLL = `(async () => {
  const scroller = document.querySelector('section[aria-label="Lines"]')
  let lines = 0
  for (let frame = 1; frame <= ${FRAMES}; frame++) {
    scroller.scrollTop += ${STEP_PX}
    await new Promise((resolve) => requestAnimationFrame(resolve))
    lines = Math.max(lines, scroller.querySelectorAll('li').length)
  }
  return lines
})()`

/** Tests that the length of a transcript costs readers nothing. */
export function testLongTranscripts({ system }: DashboardWorld, visitor: Visitor): void {
  const open = async (page: Page, client: Client, video: SampleVideo) => {
    const job = await client.submit({ url: watchUrl(video.id) })
    await client.follow(job)
    await visitor.visit(page, `/jobs/${job}`)
    await page.getByRole('region', { name: 'Lines' }).getByRole('listitem').first().waitFor()
  }
  const scroll = async (page: Page): Promise<Scrolled> => {
    const session = await page.context().newCDPSession(page)
    await session.send('Performance.enable')
    const read = async () => {
      const { metrics } = await session.send('Performance.getMetrics')
      const named = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0
      return named('ScriptDuration') + named('LayoutDuration') + named('RecalcStyleDuration')
    }
    const before = await read()
    const lines = (await page.evaluate(SCROLL)) as number
    return { lines, work: (await read()) - before }
  }

  test('a transcript of ten hours scrolls with the work of a short one, and can be searched', async () => {
    for (const video of [HALF_HOUR, TEN_HOURS]) system.platform.addVideo(video)
    const { page, client } = await visitor.enter()
    await open(page, client, HALF_HOUR)
    const short = await scroll(page)
    await open(page, client, TEN_HOURS)
    const long = await scroll(page)
    expect(long.lines).toBeLessThanOrEqual(short.lines + 10)
    // Twenty times the lines: a page that held them all would need a multiple of the work.
    expect(long.work).toBeLessThan(3 * short.work)
    const words = TEN_HOURS.tracks[0]?.cues().at(-1)?.text.split(' ').slice(0, 3).join(' ') ?? ''
    await page.getByRole('searchbox', { name: 'Search in transcript' }).fill(words)
    await page.getByText(/^1 of \d+$/).waitFor()
    await page.getByRole('button', { name: 'Previous match' }).click()
    await page.getByRole('region', { name: 'Lines' }).locator('mark').last().waitFor()
  })
}
