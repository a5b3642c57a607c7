import { readFile } from 'node:fs/promises'
import { waitUntil } from '@subtext/embedded/testing'
import { SAMPLE_TALKS } from '@subtext/fakes'
import { watchUrl } from '@subtext/testbed'
import { findObstacles } from './open-browser.ts'
import { describeDashboard } from './use-dashboard.ts'

const TALK = SAMPLE_TALKS.english

describeDashboard(({ system, visitor }) => {
  test('a key is shown once, works, is disabled, and is revoked', async () => {
    const { page } = await visitor.enter()
    await visitor.visit(page, '/keys')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByLabel('Name').fill('Nightly import')
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
    const dialog = page.getByRole('dialog', { name: 'Your new key' })
    const key = await dialog.getByLabel('API key').inputValue()
    await dialog.getByRole('button', { name: 'Copy' }).click()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key)
    const use = async () => {
      const headers = { Authorization: `Bearer ${key}` }
      return (await fetch(`${system.baseUrl}/api/v1/usage/current`, { headers })).status
    }
    expect(await use()).toBe(200)
    await dialog.getByRole('button', { name: 'Done' }).click()
    expect(await page.content()).not.toContain(key)
    const row = page.getByRole('listitem').filter({ hasText: 'Nightly import' })
    await row.getByRole('button', { name: 'Disable', exact: true }).click()
    await row.getByRole('button', { name: 'Enable', exact: true }).waitFor()
    // A process may know a key for a second.
    await waitUntil('the disabled key is refused', async () => (await use()) === 401)
    await row.getByRole('button', { name: 'Revoke', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await row.getByText('revoked').waitFor()
  })

  test('a browser in another language gets words and digits of the language of the pages', async () => {
    const { page } = await visitor.enter()
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setLocaleOverride', { locale: 'ar-EG' })
    await visitor.visit(page, '/usage')
    expect(await page.evaluate('new Intl.NumberFormat().format(7)')).toBe('٧')
    await page.getByText('Resets on').first().waitFor()
    expect(await page.getByRole('main').textContent()).not.toMatch(/\p{Script=Arabic}/u)
    await session.detach()
  })

  test('without the plan for batches, the page says which plan has them and offers none', async () => {
    const { page } = await visitor.enter({ plan: 'free' })
    await visitor.visit(page, '/batches')
    await page.getByText('Batches are part of the Pro plan').waitFor()
    expect(await page.getByRole('button', { name: 'New batch' }).count()).toBe(0)
  })

  test('a test event is delivered, and delivered again on request', async () => {
    const { page } = await visitor.enter()
    await visitor.visit(page, '/webhooks')
    await page.getByRole('button', { name: 'Send test event' }).click()
    await page.getByLabel('Receiver URL').fill(`${system.receiver.origin}/dashboard`)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('Sent. The list shows').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /webhook\.test.*delivered/i }).click()
    await page.getByRole('table', { name: 'Attempts' }).getByRole('row').nth(1).waitFor()
    await page.getByRole('button', { name: 'Redeliver' }).click()
    await page.getByRole('table', { name: 'Attempts' }).getByRole('row').nth(2).waitFor()
    await page.getByRole('button', { name: 'Rotate secret' }).click()
    await page.getByRole('button', { name: 'Rotate', exact: true }).click()
    expect(await page.getByRole('textbox', { name: 'New secret' }).inputValue()).toMatch(/^whsec_/)
  })

  test('a delivery appears in the live tail without a reload, and not while the tail is off', async () => {
    const { page, client } = await visitor.enter()
    await visitor.visit(page, '/webhooks')
    await page.getByText('No deliveries yet').waitFor()
    await client.post('/webhooks/test', { url: `${system.receiver.origin}/first` })
    await page.getByRole('button', { name: /first.*delivered/i }).waitFor()
    let running = 0
    let reads = 0
    await page.route('**/api/v1/webhooks/deliveries?*', async (route) => {
      reads++
      running++
      await route.fulfill({ response: await route.fetch() })
      running--
    })
    await waitUntil('the tail has read on', () => reads > 0)
    await page.getByRole('switch', { name: 'Live updates' }).click()
    await page.getByRole('switch', { name: 'Live updates', checked: false }).waitFor()
    await waitUntil('the last answer has arrived', () => running === 0)
    const readBefore = reads
    await client.post('/webhooks/test', { url: `${system.receiver.origin}/paused` })
    await waitUntil('the second delivery is made', async () => {
      const { data } = await client.get<{ deliveries: { status: string }[] }>('/webhooks/deliveries?status=delivered')
      return data.deliveries.length === 2
    })
    expect([reads - readBefore, await page.getByRole('button', { name: /paused/ }).count()]).toEqual([0, 0])
    await page.getByRole('switch', { name: 'Live updates' }).click()
    await page.getByRole('button', { name: /paused.*delivered/i }).waitFor()
  })

  test('usage is shown by day, mode, endpoint and key, with receipts that can be downloaded', async () => {
    const { page, client } = await visitor.enter()
    const job = await client.submit({ url: watchUrl(TALK.id), options: { summary_modes: ['tldr', 'detailed'] } })
    await client.follow(job)
    await visitor.visit(page, '/usage')
    const byMode = page.getByRole('table', { name: 'Usage by summary mode' })
    await byMode.getByRole('row', { name: /^Detailed 1 / }).waitFor()
    await page.getByText('Show as a table').click()
    expect(await page.getByRole('table', { name: 'Videos by day' }).getByRole('row').count()).toBe(30)
    await page.getByRole('tab', { name: 'By endpoint' }).click()
    await page.getByRole('row', { name: /^POST \/videos\/process 1 / }).waitFor()
    await page.getByRole('tab', { name: 'By key' }).click()
    await page.getByRole('row', { name: new RegExp(`${client.key.slice(-4)}\\) \\d+ 1 `) }).waitFor()
    const receipts = page.getByRole('table', { name: 'Receipts' })
    await receipts.getByRole('button', { name: /lines/ }).click()
    await receipts.getByText('The language model wrote this summary for this job.').first().waitFor()
    const saved = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download CSV' }).click()
    expect(await readFile(await (await saved).path(), 'utf8')).toContain(job)
  })

  test('operators see the queue, failing deliveries, spending and accounts; others do not', async () => {
    const { page, userId, email } = await visitor.enter()
    await visitor.visit(page, '/operations')
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('link', { name: 'Operations' }).count()).toBe(0)
    await system.rows('UPDATE users SET is_operator = true WHERE id = $1', [userId])
    await visitor.visit(page, '/operations')
    await page.getByRole('link', { name: 'Operations' }).waitFor()
    await page
      .getByRole('table', { name: 'Queue by lane' })
      .getByRole('row', { name: /^high / })
      .waitFor()
    await page.getByRole('heading', { name: 'Failing deliveries' }).waitFor()
    await page.getByRole('heading', { name: 'Spending on language models' }).waitFor()
    await page.getByRole('searchbox', { name: 'Find an account by its email address' }).fill(email)
    await page.getByRole('button', { name: 'Find' }).click()
    const accounts = page.getByRole('table', { name: 'Accounts' })
    await accounts.getByRole('row', { name: new RegExp(`^${email} Operator Pro`, 'i') }).waitFor()
    expect(await findObstacles(page)).toEqual([])
  })
})
