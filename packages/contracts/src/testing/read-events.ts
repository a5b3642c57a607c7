export interface ReceivedEvent {
  name: string
  id: string
  data: Record<string, unknown>
}

/** Yields the events of a stream of server-sent events as they arrive. Comments and `retry` fields are skipped. */
export async function* readEvents(response: Response): AsyncGenerator<ReceivedEvent> {
  let text = ''
  for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = new Map(
        block.split('\n').map((line) => [line.split(':', 1)[0], line.slice(line.indexOf(':') + 1).replace(/^ /, '')]),
      )
      const data = fields.get('data')
      if (data !== undefined)
        yield { name: fields.get('event') ?? '', id: fields.get('id') ?? '', data: JSON.parse(data) }
    }
  }
}
