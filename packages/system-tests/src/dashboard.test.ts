import { waitUntil } from '@subtext/embedded/testing'
import { SAMPLE_TALKS } from '@subtext/fakes'
import { type MailServer, startMailServer } from '@subtext/mailer/testing'
import { useTestSystem, watchUrl } from '@subtext/server/testing'
import type { Page } from 'playwright-core'
import { findObstacles, hasChromium, useBrowser } from './dashboard/open-browser.ts'

const TALK = SAMPLE_TALKS.english
const PASSWORD = 'correct horse battery'
const PAGES = ['/', '/jobs', '/batches', '/keys', '/webhooks', '/usage', '/settings']

const inChromium = hasChromium ? describe : describe.skip

let mail: MailServer
beforeAll(async () => {
  mail = await startMailServer()
})
afterAll(() => mail?.close())

inChromium('the dashboard', () => {
  const system = useTestSystem({
    settings: {
      AUTH_LIMIT_ADDRESS: '100000',
      WEBHOOK_ALLOW_PRIVATE: 'true',
      get SMTP_URL() {
        return mail.url
      },
    },
  })
  const browser = useBrowser()
  let people = 0
  const visit = async (page: Page, path: string) => {
    await page.goto(system.baseUrl.replace('/api/v1', '') + path)
    await page.getByRole('main').waitFor()
  }

  /** Signs somebody up with a password and confirms the address. The page is then at home. */
  async function join(page: Page): Promise<string> {
    const email = `person${people++}@example.com`
    await visit(page, '/sign-up')
    await page.getByLabel('Name').fill('Ada')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByText(`We have sent a message to ${email}`).waitFor()
    await page.goto((await mail.next(email)).link)
    await page.getByRole('button', { name: 'Account' }).waitFor()
    return email
  }

  /** Signs in with a link to an account that an operator has created with a plan. */
  async function joinWithPlan(page: Page): Promise<void> {
    const { userId } = await system.createClient({ plan: 'pro' })
    const [user] = await system.rows<{ email: string }>('SELECT email FROM users WHERE id = $1', [userId])
    const email = user?.email ?? ''
    await visit(page, '/sign-in')
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Email me a link' }).click()
    await page.goto((await mail.next(email)).link)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Account' }).waitFor()
  }

  const process = async (page: Page, url: string) => {
    await visit(page, '/')
    await page.getByLabel('Video URL').fill(url)
    await page.getByRole('button', { name: 'Process video' }).click()
  }

  test('a new person gets the first summary with three clicks', async () => {
    const page = await browser.open()
    await join(page)
    await process(page, watchUrl(TALK.id))
    await page.getByRole('tabpanel').getByText('ocean', { exact: false }).first().waitFor()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(TALK.title)
  })

  test('a citation lights its line of the transcript, and the search counts what it finds', async () => {
    const page = await browser.open()
    await join(page)
    await process(page, watchUrl(TALK.id))
    const citation = page
      .getByRole('tabpanel')
      .getByRole('button', { name: /^Go to/ })
      .last()
    await citation.click()
    expect(await citation.getAttribute('aria-pressed')).toBe('true')
    const time = (await citation.textContent()) ?? ''
    await page.locator(`button[aria-current]:has-text("${time}")`).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('ocean')
    await page.getByText(/^1 of \d+$/).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText(/^2 of \d+$/).waitFor()
  })

  test('a page follows a job to its end, and shows the summary when it is written', async () => {
    const page = await browser.open()
    await join(page)
    const { id } = system.addCopy(TALK)
    const release = system.platform.hold({ kind: 'timedtext', videoId: id })
    await process(page, watchUrl(id))
    await page.getByRole('progressbar').waitFor()
    await page.getByText('You can leave this page').waitFor()
    release()
    await page.getByRole('tab', { name: 'TL;DR' }).waitFor()
  })

  test('somebody signs out and in again with the password, and a wrong one is refused', async () => {
    const page = await browser.open()
    const email = await join(page)
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('link', { name: 'Create an account' }).waitFor()
    await visit(page, '/keys')
    await page.waitForURL(/\/sign-in\?next=/)
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill('wrong password')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL(/\/keys$/)
    await page.getByText('API keys are part of the Plus plan').waitFor()
  })

  test('a key is shown once, works, is disabled, and is revoked', async () => {
    const page = await browser.open()
    await joinWithPlan(page)
    await visit(page, '/keys')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByLabel('Name').fill('Nightly import')
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
    const dialog = page.getByRole('dialog', { name: 'Your new key' })
    const key = await dialog.getByLabel('API key').inputValue()
    await dialog.getByRole('button', { name: 'Copy' }).click()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key)
    const use = async () => {
      const headers = { Authorization: `Bearer ${key}` }
      return (await fetch(`${system.baseUrl.replace('/api/v1', '')}/api/v1/usage/current`, { headers })).status
    }
    expect(await use()).toBe(200)
    await dialog.getByRole('button', { name: 'Done' }).click()
    expect(await page.content()).not.toContain(key)
    await page.getByRole('button', { name: 'Disable Nightly import' }).click()
    await page.getByRole('button', { name: 'Enable Nightly import' }).waitFor()
    // A process may know a key for a second.
    await waitUntil('the disabled key is refused', async () => (await use()) === 401)
    await page.getByRole('button', { name: 'Revoke Nightly import' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('listitem').filter({ hasText: 'Nightly import' }).getByText('revoked').waitFor()
  })

  test('a test event is delivered, and delivered again on request', async () => {
    const page = await browser.open()
    await joinWithPlan(page)
    await visit(page, '/webhooks')
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

  test.each(['light', 'dark'] as const)('axe finds no obstacle on any page in the %s theme', async (theme) => {
    const page = await browser.open({ theme })
    for (const path of ['/', '/sign-in', '/sign-up', '/forgot-password']) {
      await visit(page, path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect([path, await findObstacles(page)]).toEqual([path, []])
    }
    await joinWithPlan(page)
    await process(page, watchUrl(TALK.id))
    await page.getByRole('tab', { name: 'TL;DR' }).waitFor()
    expect(await findObstacles(page)).toEqual([])
    for (const path of PAGES) {
      await visit(page, path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect([path, await findObstacles(page)]).toEqual([path, []])
    }
  })

  test('no page is wider than a window of 320 pixels', async () => {
    const page = await browser.open({ width: 320 })
    await joinWithPlan(page)
    for (const path of [...PAGES, '/sign-in', '/sign-up']) {
      await visit(page, path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect([path, await page.evaluate('document.documentElement.scrollWidth <= 320')]).toEqual([path, true])
    }
  })

  test('somebody processes a video with the keyboard alone', async () => {
    const page = await browser.open()
    await join(page)
    await visit(page, '/')
    await page.getByLabel('Video URL').waitFor()
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.type(watchUrl(TALK.id))
    await page.keyboard.press('Enter')
    await page.getByRole('tab', { name: 'TL;DR' }).waitFor()
  })
})
