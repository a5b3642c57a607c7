/** Returns the value at a path of properties and positions; undefined where the path ends early. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  let current = value
  for (const key of path) {
    if (typeof current !== 'object' || current === null) return undefined
    current = (current as Record<string | number, unknown>)[key]
  }
  return current
}

export const listAt = (value: unknown, ...path: (string | number)[]): unknown[] => {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}

export const stringAt = (value: unknown, ...path: (string | number)[]): string | null => {
  const found = at(value, ...path)
  return typeof found === 'string' ? found : null
}

/** Returns a text of the platform in any of its forms: plain, `simpleText`, `content` or `runs`. */
export function textAt(value: unknown, ...path: (string | number)[]): string | null {
  const found = at(value, ...path)
  if (typeof found === 'string') return found
  const plain = stringAt(found, 'simpleText') ?? stringAt(found, 'content')
  if (plain !== null) return plain
  const runs = listAt(found, 'runs')
  return runs.length === 0 ? null : runs.map((run) => stringAt(run, 'text') ?? '').join('')
}
