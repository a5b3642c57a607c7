test('runs until it is interrupted', async () => {
  process.stderr.write('started\n')
  await new Promise(() => {})
})
