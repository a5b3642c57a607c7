/** A message of the API. What it writes between backticks, such as the name of a field, is shown as code. */
export function Message({ text }: { text: string }) {
  const parts = text.split('`')
  // A single backtick that is left over begins nothing.
  if (parts.length % 2 === 0) return text
  return parts.map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other name and never move
      <code key={index} className="font-mono text-[0.95em] wrap-anywhere">
        {part}
      </code>
    ),
  )
}
