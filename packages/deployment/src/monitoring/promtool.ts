import { spawnSync } from 'node:child_process'

/** Returns the command `promtool` if it is installed: it is part of Debian's package `prometheus`. */
export const findPromtool = (): string | undefined =>
  spawnSync('promtool', ['--version']).status === 0 ? 'promtool' : undefined
