/** An event of a stream, as it arrives. */
export interface ServerEvent {
  event: string
  id: string
  data: string
}

/**
 * Reads Server-Sent Events (https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation) from a
 * stream of bytes. An incomplete event at the end of the stream is not returned.
 */
export async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const parse = createParser()
  for await (const line of readLines(stream)) {
    const event = parse(line)
    if (event) yield event
  }
}

async function* readLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  const reader = stream.getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const [first = '', ...others] = decoder.decode(value, { stream: true }).split('\n')
      rest += first
      for (const line of others) {
        yield rest.endsWith('\r') ? rest.slice(0, -1) : rest
        rest = line
      }
    }
  } finally {
    // The reader stopped early, or the stream is broken already.
    await reader.cancel().catch(() => undefined)
  }
}

/** Returns a function that takes the lines of a stream and returns an event at the blank line that ends it. */
function createParser(): (line: string) => ServerEvent | undefined {
  let event = 'message'
  let id = ''
  let data: string[] = []
  return (line) => {
    if (line === '') {
      const complete = data.length > 0 ? { event, id, data: data.join('\n') } : undefined
      event = 'message'
      data = []
      return complete
    }
    const colon = line.indexOf(':')
    const name = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (name === 'data') data.push(value)
    else if (name === 'event') event = value
    else if (name === 'id') id = value
    return undefined
  }
}
