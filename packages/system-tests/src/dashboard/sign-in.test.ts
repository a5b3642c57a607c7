import { describeDashboard } from './use-dashboard.ts'
import { PASSWORD } from './visitor.ts'

describeDashboard(({ browser, mail, visitor }) => {
  test('someone signs out and in again with the password, and a wrong one is refused', async () => {
    const page = await browser.open()
    const email = await visitor.join(page)
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('link', { name: 'Create an account' }).waitFor()
    await visitor.visit(page, '/keys')
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

  test('a link by email signs up and in', async () => {
    const page = await browser.open()
    await visitor.visit(page, '/sign-in')
    await page.getByLabel('Email').fill('link@example.com')
    await page.getByRole('button', { name: 'Email me a link' }).click()
    await page.getByText('a link is on its way').waitFor()
    await page.goto((await mail().next('link@example.com')).link)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('textbox', { name: 'Video URL' }).waitFor()
  })

  test('the link of a sign-up says in another browser that the address is confirmed', async () => {
    const page = await browser.open()
    const email = 'elsewhere@example.com'
    await visitor.visit(page, '/sign-up')
    await page.getByLabel('Name').fill('Ada')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).click()
    const other = await browser.open()
    await other.goto((await mail().next(email)).link)
    await other.getByText(email).waitFor()
    await other.getByRole('button', { name: 'Create my account' }).click()
    await other.getByText('Your address has been confirmed').waitFor()
  })

  test('an identity provider signs up and in, and leads back to the page that was asked for', async () => {
    const page = await browser.open()
    await visitor.visit(page, '/settings')
    await page.getByRole('button', { name: 'Continue with Test ID' }).click()
    await page.waitForURL(/\/settings$/)
    await page.getByText('one@example.org').waitFor()
  })

  test('a forgotten password is replaced by the link of an email', async () => {
    const page = await browser.open()
    const email = await visitor.join(page)
    const other = await browser.open()
    await visitor.visit(other, '/forgot-password')
    await other.getByLabel('Email').fill(email)
    await other.getByRole('button', { name: 'Send the link' }).click()
    await other.goto((await mail().next(email)).link)
    await other.getByLabel('New password').fill('another horse battery')
    await other.getByRole('button', { name: 'Change password' }).click()
    await other.getByText('Your password has been changed').waitFor()
    // The new password has ended this session.
    await visitor.visit(page, '/jobs')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill('another horse battery')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL(/\/jobs$/)
  })

  test('a link for a new password that no longer works says so, and the page leads to a new one', async () => {
    const page = await browser.open()
    for (const search of ['?token=none', '?error=INVALID_TOKEN', '']) {
      await visitor.visit(page, `/reset-password${search}`)
      if (search === '?token=none') {
        await page.getByLabel('New password').fill('another horse battery')
        await page.getByRole('button', { name: 'Change password' }).click()
      }
      await page.getByRole('alert').getByText('This link no longer works').waitFor()
      await page.getByRole('link', { name: 'Get a new link' }).click()
      await page.getByRole('button', { name: 'Send the link' }).waitFor()
    }
  })
})
