import { Fragment } from 'react'

/** Facts in a row. Each keeps the direction of its text. */
export function Facts({ facts }: { facts: readonly string[] }) {
  return facts.map((fact, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: two facts can be the same, and facts do not move
    <Fragment key={index}>
      {index > 0 && ' · '}
      <bdi>{fact}</bdi>
    </Fragment>
  ))
}
