const REQUEST = `curl ${location.origin}/api/v1/videos/process \\
  -H "Authorization: Bearer $SUBTEXT_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"url": "https://www.youtube.com/watch?v=sbtx-en-map"}'`

const RESULT = `"tldr": {
  "text": "Her name was Marie Tharp. She drew …",
  "citations": [
    {
      "segment_id": 4,
      "start": 17.2,
      "url": "https://www.youtube.com/watch?v=…&t=17s"
    }
  ]
}`

const PANES = [
  ['Send a URL', REQUEST],
  ['Get claims with timestamps', RESULT],
] as const

/** Shows a request of a program, and its result. */
export function CodeExample() {
  return (
    <section aria-label="Example of a request and its result" className="grid gap-4 lg:grid-cols-2">
      {PANES.map(([title, code]) => (
        <figure key={title} className="flex min-w-0 flex-col rounded-2xl border border-line bg-surface">
          <figcaption className="border-b border-line px-5 py-3 text-xs font-medium tracking-wide text-muted uppercase">
            {title}
          </figcaption>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: an area that scrolls must be reachable by keyboard */}
          <pre tabIndex={0} className="grow overflow-x-auto rounded-b-2xl px-5 py-4 font-mono text-xs leading-relaxed">
            {code}
          </pre>
        </figure>
      ))}
    </section>
  )
}
