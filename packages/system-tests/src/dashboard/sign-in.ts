import { type DashboardWorld, PASSWORD, type Visitor } from './visitor.ts'

/** Tests of the ways to sign up and in. */
export function testSignIn({ browser }: DashboardWorld, visitor: Visitor): void {
  test('somebody signs out and in again with the password, and a wrong one is refused', async () => {
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
}
