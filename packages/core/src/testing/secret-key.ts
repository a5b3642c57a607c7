/** A value of `WEBHOOK_SECRET_KEY` for processes that tests start. */
export const TEST_SECRET_KEY = `test:${'5e'.repeat(32)}`
