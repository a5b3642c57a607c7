import { readReturnPath, returnPathOf } from './return-path.ts'

test.each(['/', '/jobs', '/jobs?a=1&b=2', '/jobs/019a-b'])('%s leads back as it is', (path) => {
  expect(returnPathOf(path)).toBe(path)
})

test.each([
  '/jobs/019a#t=17',
  '/auth/oauth/authorize?redirect_uri=http%3A%2F%2Fa%2F%3Fb%26c',
  '/jobs?q=김치',
  '/%5cx',
  '/?a=>>>???',
])('%s survives sign-in unchanged, in characters that nothing decodes', (path) => {
  const wrapped = returnPathOf(path)
  expect(wrapped).toMatch(/^\/return\?to=[\w-]+$/)
  expect(readReturnPath(wrapped.slice('/return?to='.length))).toBe(path)
})

test.each(['%', 'a', '____', '/jobs#t=1'])('the parameter %j is no path', (parameter) => {
  expect(readReturnPath(parameter)).toBeUndefined()
})
