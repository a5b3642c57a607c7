export interface ServerEvent {
  event: string
  data: string
}

/** Yields the Server-Sent Events of a response. An event that the stream breaks off in the middle is left out. */
export async function* readServerEvents(response: Response): AsyncGenerator<ServerEvent> {
  if (!response.body) return
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let buffer = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      buffer += value
      const blocks = buffer.split('\n\n')
      buffer = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = parse(block)
        if (event) yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function parse(block: string): ServerEvent | undefined {
  const fields = block.split('\n')
  const read = (name: string) =>
    fields.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).trimStart())
  const data = read('data')
  return data.length > 0 ? { event: read('event')[0] ?? 'message', data: data.join('\n') } : undefined
}
