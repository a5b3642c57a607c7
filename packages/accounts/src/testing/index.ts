export { type Browser, openBrowser, TEST_ORIGIN } from './browser.ts'
export { TEST_PASSWORDS } from './passwords.ts'
