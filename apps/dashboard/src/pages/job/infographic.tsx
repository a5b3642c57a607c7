import Download from 'virtual:icons/download'
import type { InfographicLayout, InfographicTheme } from '@subtext/sdk'
import { useState } from 'react'
import { BUTTON_LINK, Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Select } from '../../ui/select.tsx'
import { isDarkTheme } from '../../ui/theme-switch.tsx'

interface InfographicProps {
  jobId: string
  title: string
  /** Everything that the picture says, in words. */
  altText: string | undefined
}

const LAYOUTS: [InfographicLayout, string][] = [
  ['card', 'Card'],
  ['wide', 'Wide'],
  ['story', 'Story'],
]
const SHAPES: Record<InfographicLayout, string> = {
  card: 'aspect-[1080/1350] max-w-md',
  wide: 'aspect-[1200/675]',
  story: 'aspect-[1080/1920] max-w-sm',
}
const THEMES: [InfographicTheme, string][] = [
  ['light', 'Light'],
  ['dark', 'Dark'],
]

/** The picture of what the video says, in every layout and theme. */
export function Infographic({ jobId, title, altText }: InfographicProps) {
  const [layout, setLayout] = useState<InfographicLayout>('card')
  const [theme, setTheme] = useState<InfographicTheme>(isDarkTheme() ? 'dark' : 'light')
  const path = `/api/v1/videos/infographic/${jobId}?${new URLSearchParams({ layout, theme })}`
  return (
    <section
      aria-labelledby="infographic"
      className="flex flex-col gap-4 rounded-2xl border border-line bg-surface p-5"
    >
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="infographic" className="text-lg font-semibold tracking-tight">
          Infographic
        </h2>
        <div className="flex flex-wrap items-center gap-2">
          <Select label="Layout" isLabelHidden options={LAYOUTS} value={layout} onChange={setLayout} />
          <Select label="Theme" isLabelHidden options={THEMES} value={theme} onChange={setTheme} />
          <a href={`${path}&download=1`} download className={BUTTON_LINK}>
            <Download className="size-4" aria-hidden="true" />
            PNG
            <span className="sr-only">of the infographic</span>
          </a>
        </div>
      </div>
      <Picture key={path} path={path} alt={altText ?? `Infographic of ${title}`} shape={SHAPES[layout]} />
    </section>
  )
}

/** Shows a picture that the service may have to draw first, or may be unable to draw. */
function Picture({ path, alt, shape }: { path: string; alt: string; shape: string }) {
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading')
  const [attempt, setAttempt] = useState(0)
  if (state === 'failed') {
    return (
      <div role="alert" className="flex flex-col items-start gap-3 text-sm text-danger">
        The infographic could not be drawn.
        <Button
          onClick={() => {
            setAttempt(attempt + 1)
            setState('loading')
          }}
        >
          Try again
        </Button>
      </div>
    )
  }
  return (
    <img
      src={attempt === 0 ? path : `${path}#${attempt}`}
      alt={alt}
      loading="lazy"
      onLoad={() => setState('shown')}
      onError={() => setState('failed')}
      className={cx(
        'mx-auto h-auto w-full rounded-xl border border-line text-transparent',
        shape,
        state === 'loading' && 'animate-pulse bg-sunken',
      )}
    />
  )
}
