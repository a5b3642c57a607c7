/** Returns `list[index]`, and throws where the list has no such element. */
export function at<T>(list: ArrayLike<T>, index: number): T {
  const value = list[index]
  if (value === undefined) throw new RangeError(`No element ${index} in a list of ${list.length}.`)
  return value
}
