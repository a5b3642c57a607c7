import { type ReactNode, useId } from 'react'

interface SectionProps {
  title: string
  description: string
  children: ReactNode
}

/** A group of settings: what it is about on the left, the controls on the right. */
export function Section({ title, description, children }: SectionProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="grid gap-4 rounded-2xl border border-line bg-surface p-5 md:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]"
    >
      <div className="flex flex-col gap-1">
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        <p className="text-sm wrap-anywhere text-muted">{description}</p>
      </div>
      <div className="flex min-w-0 flex-col gap-3">{children}</div>
    </section>
  )
}
