import { UnusableDataError } from '@subtext/embedded'
import { explainDataError } from './data-errors.ts'

const DATA = '/srv/subtext/data'
const errno = (code: string, path: string): Error => Object.assign(new Error(`${code}: x`), { code, path })

test.each([
  ['EACCES', `${DATA}/postgres`, 'this user may not write there'],
  ['EROFS', DATA, 'read-only'],
  ['ENOTDIR', `${DATA}/postgres/owner.lock`, 'a part of its path is a file'],
  ['EEXIST', DATA, 'there is a file of this name'],
  ['EACCES', '/srv', 'this user may not write there'],
  ['ENOSPC', `${DATA}/blobs/1`, 'the disk is full'],
])('explains %s at %s, with the way forward', (code, path, reason) => {
  const text = explainDataError(errno(code, path), DATA)
  expect(text).toContain(`Cannot use the data directory ${DATA}: ${reason}`.slice(0, 40))
  expect(text).toContain(reason)
  expect(text).toContain('SUBTEXT_DATA_DIR=')
})

test('repeats what the servers say about their data', () => {
  expect(explainDataError(new UnusableDataError('Made by Postgres 17.'), DATA)).toBe('Made by Postgres 17.')
})

test.each([errno('EACCES', '/etc/shadow'), errno('ECONNREFUSED', DATA), new Error('x'), undefined, 5])(
  'leaves alone what is about something else: %s',
  (error) => {
    expect(explainDataError(error, DATA)).toBeNull()
  },
)
