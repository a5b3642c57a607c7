import { randomUUID } from 'node:crypto'
import { SAMPLE_TALKS } from '@subtext/fakes'
import { watchUrl } from '@subtext/testbed'
import type { Page } from 'playwright-core'
import { describeDashboard } from './use-dashboard.ts'

const TALK = SAMPLE_TALKS.english
/** Closes any context that it may be placed in, and runs a script if any part of it becomes HTML. */
const MARKUP = `"'></title></script><img src=x onerror="window.attacked=1"><svg onload=window.attacked=1>`
const RIGHT_TO_LEFT = '\u202eعنوان طويل جدا'
const ENDLESS = 'long'.repeat(60)
const PAGES = [
  '/',
  '/search?q=the',
  '/jobs',
  '/batches',
  '/keys',
  '/apps',
  '/webhooks',
  '/usage',
  '/settings',
  '/operations',
]

describeDashboard(({ system, visitor }) => {
  /** Looks for elements that only a text which has become HTML brings, and for whatever sticks out of a narrow window. */
  const findHarm = async (page: Page) => ({
    attacked: await page.evaluate('window.attacked ?? null'),
    elements: await page.locator('img[src="x"], svg[onload], iframe[src^="javascript"], a[href^="javascript"]').count(),
    fits: await page.evaluate('document.documentElement.scrollWidth <= innerWidth'),
  })
  const HARMLESS = { attacked: null, elements: 0, fits: true }

  /** Gives someone videos, batches, keys, applications and deliveries with such texts. */
  const furnish = async () => {
    const visitors = await visitor.enter({ isOperator: true, width: 320 })
    const { client, userId } = visitors
    const cue = { startMs: 0, durationMs: 5_000, text: `${MARKUP} ocean floor` }
    const video = {
      ...TALK,
      id: system.addCopy(TALK).id,
      title: `${MARKUP} ${RIGHT_TO_LEFT} ${ENDLESS}`,
      author: MARKUP,
      description: MARKUP,
      tracks: TALK.tracks.slice(0, 1).map((track) => ({ ...track, cues: () => [cue] })),
    }
    system.platform.addVideo(video)
    const client_reference = (MARKUP + ENDLESS).slice(0, 255)
    const names = { service_name: MARKUP, agent_name: MARKUP, client_reference }
    const webhook_url = `${system.receiver.origin}/${encodeURIComponent(MARKUP)}?'"><img/src=x>`
    system.messagesApi.failNext({ kind: 'answer', text: `${MARKUP} [link](javascript:alert(1)) **ocean** [1]` })
    const job = await client.submit({ url: watchUrl(video.id), webhook_url, ...names })
    await client.follow(job)
    await client.submit({ url: watchUrl('sbtx-x-noca'), ...names })
    const batch = await client.post<{ batch_id: string }>('/batch/process', {
      videos: [{ url: watchUrl(video.id) }],
      client_reference,
    })
    await visitor.connectApp(userId, MARKUP + ENDLESS, ['read', MARKUP])
    await system.rows('UPDATE users SET name = $2 WHERE id = $1', [userId, MARKUP])
    await system.rows('UPDATE api_keys SET name = $2 WHERE user_id = $1', [userId, MARKUP.slice(0, 80)])
    await system.rows('UPDATE sessions SET user_agent = $2 WHERE user_id = $1', [userId, MARKUP])
    return { ...visitors, job, batch: batch.data.batch_id }
  }

  test('titles, captions, names, references, model output and webhook targets run nothing and fit every page', async () => {
    const { page, job, batch } = await furnish()
    await visitor.visit(page, '/usage')
    for (const path of [...PAGES, `/batches/${batch}`, `/jobs/${job}`]) {
      await visitor.goOn(page, path)
      await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
      expect([path, await findHarm(page)]).toEqual([path, HARMLESS])
    }
    await page.getByRole('heading', { level: 1 }).getByText('onerror="window.attacked=1"').waitFor()
    await page.getByRole('region', { name: 'Lines' }).getByText('onerror=').first().waitFor()
    system.messagesApi.failNext({ kind: 'answer', text: `${MARKUP} [1]` })
    await page.getByRole('textbox', { name: 'Ask a question' }).fill(MARKUP)
    await page.keyboard.press('Enter')
    await page.getByRole('log').getByText('onerror=').first().waitFor()
    expect(await findHarm(page)).toEqual(HARMLESS)
    await page.goto(
      `${system.baseUrl}/batches/${randomUUID()}${encodeURIComponent(MARKUP)}?error=${encodeURIComponent(MARKUP)}`,
    )
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await page.goto(`${system.baseUrl}/sign-in?error=${encodeURIComponent(MARKUP)}&next=${encodeURIComponent(MARKUP)}`)
    await page.getByText('Sign-in failed').waitFor()
    expect(await findHarm(page)).toEqual(HARMLESS)
  })
})
