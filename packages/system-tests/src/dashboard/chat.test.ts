import { SAMPLE_TALKS } from '@subtext/fakes'
import { watchUrl } from '@subtext/testbed'
import type { Page } from 'playwright-core'
import { describeDashboard } from './use-dashboard.ts'

const TALK = SAMPLE_TALKS.english
const CONVERSATION = '**/api/v1/videos/chat/*/*'
const QUESTION = 'What did Marie Tharp find in the profiles?'

describeDashboard(({ system, visitor }) => {
  const openJob = async (page: Page) => {
    await visitor.process(page, watchUrl(TALK.id))
    await page.getByRole('heading', { name: 'Chat' }).waitFor()
  }
  const ask = async (page: Page, question: string) => {
    await page.getByRole('textbox', { name: 'Ask a question' }).fill(question)
    await page.keyboard.press('Enter')
  }

  test('an answer appears sentence by sentence, and its citation lights the line', async () => {
    const { page } = await visitor.enter()
    await openJob(page)
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const pieces = [
      'This is the story of the woman who drew what was really there. [3]\n',
      held,
      'Her name was Marie Tharp, and she never saw the sea floor. [4]',
    ]
    system.messagesApi.failNext({ kind: 'pieces', pieces })
    await ask(page, QUESTION)
    const log = page.getByRole('log', { name: 'Conversation' })
    const first = log.getByRole('button', { name: /^Go to/ }).first()
    await first.waitFor()
    expect(await log.textContent()).not.toContain('Her name was')
    release()
    await log.getByText('Her name was').waitFor()
    // The finished answer takes the place of the one that is being written; a click amid that would be lost.
    await log.locator('[aria-busy]').waitFor({ state: 'detached' })
    await first.click()
    const time = (await first.textContent()) ?? ''
    await page.locator(`button[aria-current]:has-text("${time}")`).waitFor()
  })

  test('conversations are kept, listed and deleted', async () => {
    const { page } = await visitor.enter()
    await openJob(page)
    await ask(page, QUESTION)
    await page
      .getByRole('log')
      .getByRole('button', { name: /^Go to/ })
      .first()
      .waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Conversations' }).click()
    await page.getByRole('dialog').getByRole('button', { name: QUESTION }).first().click()
    await page
      .getByRole('log')
      .getByRole('button', { name: /^Go to/ })
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Conversations' }).click()
    await page.getByRole('button', { name: `Delete conversation: ${QUESTION}` }).click()
    await page.getByText('There are no conversations left.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'What is the main point?' }).waitFor()
  })

  test('a conversation takes no question while it is loading, nor if that fails', async () => {
    const { page } = await visitor.enter()
    await openJob(page)
    await ask(page, QUESTION)
    const citation = page
      .getByRole('log')
      .getByRole('button', { name: /^Go to/ })
      .first()
    await citation.waitFor()
    await page.reload()
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(CONVERSATION, async (route) => {
      await held
      await route.fulfill({ status: 404, json: { success: false, error: { code: 'NOT_FOUND', message: 'not found' } } })
    })
    await page.getByRole('button', { name: 'Conversations' }).click()
    const loading = page.waitForRequest(CONVERSATION)
    await page.getByRole('dialog').getByRole('button', { name: QUESTION }).first().click()
    await loading
    let questions = 0
    page.on('request', (request) => {
      if (request.method() === 'POST') questions++
    })
    await ask(page, 'And who helped her?')
    const button = page.getByRole('button', { name: 'Ask', exact: true })
    expect([await button.isDisabled(), questions]).toEqual([true, 0])
    release()
    const again = page.getByRole('button', { name: 'Try again' })
    await again.waitFor()
    await page.keyboard.press('Enter')
    expect([await button.isDisabled(), questions]).toEqual([true, 0])
    await page.unroute(CONVERSATION)
    await again.press('Enter')
    await citation.waitFor()
    expect(await page.getByRole('log').evaluate((log) => log === document.activeElement)).toBe(true)
    await page.locator('button:not([disabled])').and(button).waitFor()
    expect(await page.getByRole('textbox', { name: 'Ask a question' }).inputValue()).toBe('And who helped her?')
  })

  test('an answer that failed is asked for again, and the focus stays in the conversation', async () => {
    const { page } = await visitor.enter()
    await openJob(page)
    await page.route(CONVERSATION, async (route) => {
      const response = await route.fetch()
      const json = await response.json()
      json.data.messages.at(-1).status = 'failed'
      await route.fulfill({ response, json })
    })
    await ask(page, QUESTION)
    const again = page.getByRole('button', { name: 'Ask again' })
    await again.waitFor()
    await page.unroute(CONVERSATION)
    const sent = page.waitForRequest((request) => request.method() === 'POST')
    await again.press('Enter')
    expect((await sent).postDataJSON()).toMatchObject({ message: QUESTION, regenerate: true })
    expect(await page.getByRole('log').evaluate((log) => log === document.activeElement)).toBe(true)
    await page
      .getByRole('log')
      .getByRole('button', { name: /^Go to/ })
      .first()
      .waitFor()
    expect(await page.getByText('You asked:').count()).toBe(1)
  })

  test('what is typed while a question is sent stays in the field, also if that fails', async () => {
    const { page } = await visitor.enter()
    await openJob(page)
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/api/v1/videos/chat/*', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      await held
      await route.fulfill({ status: 404, json: { success: false, error: { code: 'NOT_FOUND', message: 'not found' } } })
    })
    const field = page.getByRole('textbox', { name: 'Ask a question' })
    await ask(page, QUESTION)
    await page.getByText('You asked:').waitFor()
    await field.fill('And who helped her?')
    release()
    const suggestion = page.getByRole('button', { name: 'What is the main point?' })
    await suggestion.waitFor()
    expect(await field.inputValue()).toBe(`${QUESTION}\nAnd who helped her?`)
    // A suggestion can be chosen again, so it is not added to the field.
    const refused = page.waitForResponse((response) => response.request().method() === 'POST')
    await suggestion.click()
    await refused
    await suggestion.waitFor()
    expect(await field.inputValue()).toBe(`${QUESTION}\nAnd who helped her?`)
    await page.unroute('**/api/v1/videos/chat/*')
    await suggestion.click()
    await page
      .getByRole('log')
      .getByRole('button', { name: /^Go to/ })
      .first()
      .waitFor()
    expect(await field.inputValue()).toBe(`${QUESTION}\nAnd who helped her?`)
  })

  test('a question beyond the limit of the day says when the next one is possible', async () => {
    const { page } = await visitor.enter()
    await openJob(page)
    const body = { code: 'QUOTA_EXCEEDED', message: 'used up', details: { reset_at: '2031-01-02T00:00:00.000Z' } }
    await page.route('**/api/v1/videos/chat/*', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 429, headers: { 'Retry-After': '3600' }, json: { success: false, error: body } })
        : route.continue(),
    )
    await ask(page, QUESTION)
    await page
      .getByRole('alert')
      .getByText(/all the questions that your account allows per day.* 2031/)
      .waitFor()
    expect(await page.getByRole('textbox', { name: 'Ask a question' }).inputValue()).toBe(QUESTION)
  })

  test('without the plan for it, the page says what chat is and which plan has it', async () => {
    const { page } = await visitor.enter({ plan: 'free' })
    await openJob(page)
    await page.getByText('Chat is part of the Pro plan').waitFor()
    expect(await page.getByRole('textbox', { name: 'Ask a question' }).count()).toBe(0)
  })
})
