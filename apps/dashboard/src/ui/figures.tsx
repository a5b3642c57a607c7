interface FiguresProps {
  figures: readonly { name: string; value: string; note?: string }[]
}

/** The most important numbers, with their names. */
export function Figures({ figures }: FiguresProps) {
  return (
    <dl className="grid grid-cols-2 gap-4 lg:grid-cols-4">
      {figures.map(({ name, value, note }) => (
        <div key={name} className="flex flex-col gap-1 rounded-2xl border border-line bg-surface p-4">
          <dt className="text-sm text-muted">{name}</dt>
          <dd className="text-2xl font-semibold tracking-tight tabular-nums">{value}</dd>
          {note && <dd className="text-xs text-muted">{note}</dd>}
        </div>
      ))}
    </dl>
  )
}
