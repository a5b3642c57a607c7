/** Returns the item at `index`, which may be negative to count from the end. Throws if there is none. */
export function at<T>(list: readonly T[], index: number): T {
  const item = list.at(index)
  if (item === undefined) throw new Error(`There is no item ${index} in a list of ${list.length}.`)
  return item
}
