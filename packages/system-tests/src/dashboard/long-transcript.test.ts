import { longVideo, type SampleVideo } from '@subtext/fakes'
import { type Client, watchUrl } from '@subtext/testbed'
import type { Page } from 'playwright-core'
import { describeDashboard } from './use-dashboard.ts'

const TEN_HOURS = longVideo({ id: 'sbtx-10hour', hours: 10 })
/** Longer than the test scrolls. */
const ONE_HOUR = longVideo({ id: 'sbtx-1hours', hours: 1 })
/** Frames that a transcript is scrolled for. */
const FRAMES = 60
/** A fast turn of the wheel. */
const STEP_PX = 400

interface Scrolled {
  /** CPU time of the main thread for a frame: scripts, styles, layout and paint, in milliseconds. */
  cpuMs: number
  /** Lines that were added to the page for a frame. */
  added: number
  /** The largest number of lines in the page at any time. */
  lines: number
}

/** Scrolls through the transcript, one step each frame, as a wheel does. Returns what the page did meanwhile. */
const SCROLL = `(async () => {
  const scroller = document.querySelector('section[aria-label="Lines"]')
  let [added, lines] = [0, 0]
  const observer = new MutationObserver((changes) => {
    for (const { addedNodes } of changes) added += [...addedNodes].filter(({ nodeName }) => nodeName === 'LI').length
  })
  observer.observe(scroller, { childList: true, subtree: true })
  for (let frame = 1; frame <= ${FRAMES}; frame++) {
    scroller.scrollTop += ${STEP_PX}
    await new Promise((resolve) => requestAnimationFrame(resolve))
    lines = Math.max(lines, scroller.querySelectorAll('li').length)
  }
  observer.disconnect()
  return { added, lines }
})()`

interface TraceEvent {
  name: string
  pid: number
  tid: number
  /** CPU time of the thread in microseconds. */
  tdur?: number
  args: { name?: string }
}

/** Returns the CPU time that the main thread of the page has used for its tasks while `run` ran, in milliseconds. */
async function traceMainThread(page: Page, run: () => Promise<void>): Promise<number> {
  const session = await page.context().newCDPSession(page)
  const events: TraceEvent[] = []
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])))
  const done = new Promise<void>((resolve) => session.on('Tracing.tracingComplete', () => resolve()))
  // Each task of a thread is one event of the first category; its CPU time does not depend on what else the machine does.
  const includedCategories = ['disabled-by-default-devtools.timeline', 'devtools.timeline', '__metadata']
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories } })
  await run()
  await session.send('Tracing.end')
  await done
  await session.detach()
  const tasks = events.filter(({ name }) => name === 'RunTask' || name === 'ThreadControllerImpl::RunTask')
  const byThread = new Map<string, number>()
  const mainThreads = events.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
  for (const { pid, tid } of mainThreads) byThread.set(`${pid} ${tid}`, 0)
  for (const { pid, tid, tdur = 0 } of tasks) {
    const known = byThread.get(`${pid} ${tid}`)
    if (known !== undefined) byThread.set(`${pid} ${tid}`, known + tdur)
  }
  // Pages of earlier tests are closed; what is left of them is idle.
  return Math.max(...byThread.values()) / 1_000
}

describeDashboard(({ system, visitor }) => {
  const open = async (page: Page, client: Client, video: SampleVideo) => {
    const job = await client.submit({ url: watchUrl(video.id) })
    await client.follow(job)
    await visitor.visit(page, `/jobs/${job}`)
    await page.getByRole('region', { name: 'Lines' }).getByRole('listitem').first().waitFor()
  }
  const scroll = async (page: Page): Promise<Scrolled> => {
    let seen = { added: 0, lines: 0 }
    const cpuMs = await traceMainThread(page, async () => {
      seen = (await page.evaluate(SCROLL)) as typeof seen
    })
    return { cpuMs: cpuMs / FRAMES, added: seen.added / FRAMES, lines: seen.lines }
  }

  test('a transcript of ten hours takes the work of a short one for each frame that it scrolls, and can be searched', async () => {
    for (const video of [ONE_HOUR, TEN_HOURS]) system.platform.addVideo(video)
    const { page, client } = await visitor.enter()
    await open(page, client, ONE_HOUR)
    const short = await scroll(page)
    await open(page, client, TEN_HOURS)
    const long = await scroll(page)
    expect(long.lines).toBeLessThanOrEqual(short.lines + 10)
    expect(long.added).toBeLessThanOrEqual(short.added + 2)
    expect(short.cpuMs).toBeGreaterThan(0)
    // Ten times the lines: a page that held them all would need a multiple of the work for each frame.
    expect(long.cpuMs).toBeLessThan(2 * short.cpuMs)
    const words = TEN_HOURS.tracks[0]?.cues().at(-1)?.text.split(' ').slice(0, 3).join(' ') ?? ''
    await page.getByRole('searchbox', { name: 'Search in transcript' }).fill(words)
    await page.getByText(/^1 of \d+$/).waitFor()
    await page.getByRole('button', { name: 'Previous match' }).click()
    await page.getByRole('region', { name: 'Lines' }).locator('mark').last().waitFor()
  })
})
