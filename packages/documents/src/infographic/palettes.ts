import { createHash } from 'node:crypto'

/** Colors of the block with the headline and of the paper below it. */
export interface Colors {
  block: string
  onBlock: string
  paper: string
  ink: string
  /** Color of small text on paper. */
  quiet: string
  accent: string
}

interface Palette extends Colors {
  /** The accent on dark paper. */
  darkAccent: string
}

const PALETTES: Palette[] = [
  {
    block: '#c8331d',
    onBlock: '#fff4e6',
    paper: '#fbf4e8',
    ink: '#241a14',
    quiet: '#6f6157',
    accent: '#bc2f1a',
    darkAccent: '#ff7a5c',
  },
  {
    block: '#1f3db5',
    onBlock: '#f3f1ff',
    paper: '#f6f4ee',
    ink: '#171a2b',
    quiet: '#606275',
    accent: '#1f3db5',
    darkAccent: '#8fa6ff',
  },
  {
    block: '#12503a',
    onBlock: '#f1f5e4',
    paper: '#f6f4ea',
    ink: '#15211b',
    quiet: '#5b675e',
    accent: '#12603f',
    darkAccent: '#6fd3a0',
  },
  {
    block: '#5b1f57',
    onBlock: '#fceff6',
    paper: '#f9f2f0',
    ink: '#25151f',
    quiet: '#705c68',
    accent: '#7a2473',
    darkAccent: '#e48fe0',
  },
  {
    block: '#f0b429',
    onBlock: '#2a1c02',
    paper: '#fbf5e4',
    ink: '#261c08',
    quiet: '#6e6041',
    accent: '#8a5700',
    darkAccent: '#f3c04b',
  },
  {
    block: '#0b5f6b',
    onBlock: '#eafaf5',
    paper: '#f3f5ee',
    ink: '#10201f',
    quiet: '#566765',
    accent: '#0a6470',
    darkAccent: '#5fd0d6',
  },
  {
    block: '#f2745f',
    onBlock: '#2b0b08',
    paper: '#fcf2ec',
    ink: '#2a1512',
    quiet: '#775e57',
    accent: '#a93420',
    darkAccent: '#ff9482',
  },
  {
    block: '#23202e',
    onBlock: '#fbefd9',
    paper: '#f5f1e8',
    ink: '#1d1b26',
    quiet: '#65616d',
    accent: '#ad4229',
    darkAccent: '#ff8f6b',
  },
]
const DARK = { paper: '#141319', ink: '#f3ede2', quiet: '#a9a198' }

/** All palettes as they are shown, for tests. */
export const listColors = (theme: 'light' | 'dark'): Colors[] =>
  PALETTES.map(({ darkAccent, ...colors }) => (theme === 'light' ? colors : { ...colors, ...DARK, accent: darkAccent }))

/** Returns the colors of a video, which are always the same. */
export function selectColors(videoId: string, theme: 'light' | 'dark'): Colors {
  const all = listColors(theme)
  const [byte = 0] = createHash('sha256').update(videoId).digest()
  return all[byte % all.length] ?? all[0] ?? Object.assign({}, PALETTES[0])
}
