import { isAbsolute, relative, resolve } from 'node:path'

const REASONS: Record<string, string> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not change it',
  EROFS: 'it is on a file system that is read-only',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'there is a file of this name',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota of this user is used up',
  ELOOP: 'its path is a circle of links',
  ENAMETOOLONG: 'its path is too long',
}

/** Returns what is wrong with the data directory and what to do about it, or null if an error is about something else. */
export function explainDataError(error: unknown, dataDir: string): string | null {
  const { name, message = '', code = '', path } = (error ?? {}) as Partial<NodeJS.ErrnoException>
  // By its name: production installs lack the package that throws it.
  if (name === 'UnusableDataError') return message
  const reason = REASONS[code]
  if (reason === undefined || typeof path !== 'string' || !belongsTo(path, dataDir)) return null
  return [
    `Cannot use the data directory ${dataDir}: ${reason} (${path}, ${code}).`,
    'Make it a directory that this user can write to, or name another one with SUBTEXT_DATA_DIR=/path/to/directory.',
  ].join('\n')
}

/** Whether a path is the directory, something in it, or a directory above it, which is missing or a file. */
const belongsTo = (path: string, directory: string): boolean => isIn(path, directory) || isIn(directory, path)

function isIn(path: string, directory: string): boolean {
  const inside = relative(resolve(directory), resolve(path))
  return !inside.startsWith('..') && !isAbsolute(inside)
}
