import { createRenderer, RenderError, type Renderer, type RenderRequest } from './index.ts'

const sample = (changes: Partial<RenderRequest> & { texts?: string[]; language?: string } = {}): RenderRequest => {
  const { texts = ['Ice melts.'], language = 'en', ...rest } = changes
  const data = [JSON.stringify({ title: 'Sample', language, texts })]
  return { template: 'sample', format: 'pdf', data, ...rest }
}

/** Takes seconds to render and hundreds of megabytes. */
const endless = sample({ texts: Array.from({ length: 200_000 }, (_, index) => `Paragraph ${index} of very many.`) })

describe('a renderer', () => {
  let renderer: Renderer
  beforeAll(() => {
    renderer = createRenderer()
  })
  afterAll(() => renderer.close())

  test('renders the same bytes again, in the same process and in another one', async () => {
    const first = await renderer.render(sample())
    expect(first).toMatchObject({ pages: 1, conforms: true })
    expect(first.bytes.subarray(0, 5).toString()).toBe('%PDF-')
    expect((await renderer.render(sample())).bytes.equals(first.bytes)).toBe(true)
    const other = createRenderer()
    const again = await other.render(sample()).finally(() => other.close())
    expect(again.bytes.equals(first.bytes)).toBe(true)
  })

  test('keeps nothing of a document for the next one', async () => {
    const logo = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')
    const before = await renderer.render(sample())
    await renderer.render(sample({ texts: ['Secret.'], files: { 'logo.svg': logo } }))
    await expect(renderer.render(sample({ data: [] }))).rejects.toMatchObject({ failure: 'failed' })
    expect((await renderer.render(sample())).bytes.equals(before.bytes)).toBe(true)
  })

  test('reads its data in pieces of any size', async () => {
    const text = JSON.stringify({
      title: 'Sample',
      language: 'ja',
      texts: Array.from({ length: 400 }, () => '氷河 😀 '.repeat(30)),
    })
    const whole = await renderer.render(sample({ data: [text] }))
    // Between the halves of a surrogate pair, too.
    const at = text.indexOf('😀') + 1
    const inParts = await renderer.render(sample({ data: [text.slice(0, at), text.slice(at)] }))
    expect(inParts.bytes.equals(whole.bytes)).toBe(true)
  })

  test('renders an SVG, which needs no font to be shown', async () => {
    const { bytes } = await renderer.render(sample({ format: 'svg' }))
    expect(bytes.toString()).toMatch(/^<svg /)
    expect(bytes.toString()).not.toMatch(/<text|font-family/)
  })

  test('shows a box for a character that no font has, and then claims no standard', async () => {
    const document = await renderer.render(sample({ texts: ['𓀀'] }))
    expect(document.conforms).toBe(false)
    expect(document.bytes.includes('pdfuaid')).toBe(false)
    expect((await renderer.render(sample())).bytes.includes('pdfuaid')).toBe(true)
  })

  test('passes on what reading the data throws', async () => {
    async function* broken() {
      yield '{'
      throw new RangeError('The store is unavailable.')
    }
    await expect(renderer.render(sample({ data: broken() }))).rejects.toThrow(RangeError)
    await expect(renderer.render(sample())).resolves.toMatchObject({ pages: 1 })
  })

  test('names what is wrong with a template or its data', async () => {
    await expect(renderer.render(sample({ template: 'unknown' }))).rejects.toThrow(/file not found/)
    await expect(renderer.render(sample({ data: ['{"title":1}'] }))).rejects.toMatchObject({ failure: 'failed' })
  })
})

describe('the limits of a renderer', () => {
  test('refuse a render while as many as allowed are under way', async () => {
    const renderer = createRenderer({ maxRenders: 2 })
    const running = [renderer.render(sample()), renderer.render(sample())]
    expect(renderer.active()).toBe(2)
    await expect(renderer.render(sample())).rejects.toEqual(new RenderError('busy'))
    await Promise.all(running)
    expect(renderer.active()).toBe(0)
    await expect(renderer.render(sample())).resolves.toMatchObject({ pages: 1 })
    renderer.close()
  })

  describe('on the processors that are used at once', () => {
    /** Its data is complete once `finish` is called. */
    const held = (name: string, begun: string[]) => {
      let finish = (): void => {}
      const finished = new Promise<void>((resolve) => {
        finish = resolve
      })
      async function* data() {
        begun.push(name)
        await finished
        yield* sample().data
      }
      return { request: sample({ data: data() }), finish }
    }
    /** Long enough for a render that need not wait to ask for its data. */
    const passTurns = async (): Promise<void> => {
      for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate)
    }

    test('let documents take turns', async () => {
      const renderer = createRenderer({ maxParallel: 1 })
      const begun: string[] = []
      const [first, second] = [held('first', begun), held('second', begun)]
      const rendering = [first, second].map(({ request }) => renderer.render(request))
      await passTurns()
      expect(begun).toEqual(['first'])
      expect(renderer.active()).toBe(2)
      await expect(renderer.render(sample())).rejects.toMatchObject({ failure: 'busy' })
      second.finish()
      first.finish()
      await Promise.all(rendering)
      expect(begun).toEqual(['first', 'second'])
      renderer.close()
    })

    test('end the wait of a caller that has gone, and every wait with the renderer', async () => {
      const renderer = createRenderer({ maxParallel: 1 })
      const begun: string[] = []
      const caller = new AbortController()
      const { request, finish } = held('first', begun)
      const first = renderer.render(request)
      const second = renderer.render(held('second', begun).request, caller.signal)
      caller.abort(new Error('The caller has gone.'))
      await expect(second).rejects.toThrow('The caller has gone.')
      const third = renderer.render(held('third', begun).request)
      renderer.close()
      finish()
      await expect(first).rejects.toMatchObject({ failure: 'failed' })
      await expect(third).rejects.toMatchObject({ failure: 'failed' })
      expect(begun).toEqual(['first'])
    })
  })

  test('kill a process that takes too long', async () => {
    const renderer = createRenderer({ timeoutMs: 300 })
    await expect(renderer.render(endless)).rejects.toMatchObject({ failure: 'timeout' })
    expect(renderer.active()).toBe(0)
    renderer.close()
  })

  test('kill a process that takes too much memory, and the next render has another one', async () => {
    const renderer = createRenderer({ memoryBytes: 150 * 1024 ** 2, maxRenders: 1 })
    await expect(renderer.render(endless)).rejects.toMatchObject({ failure: 'memory' })
    await expect(renderer.render(sample())).resolves.toMatchObject({ pages: 1 })
    renderer.close()
  })

  test('end a render whose caller has gone', async () => {
    const renderer = createRenderer()
    const caller = new AbortController()
    const rendering = renderer.render(endless, caller.signal)
    caller.abort(new Error('The caller has gone.'))
    await expect(rendering).rejects.toThrow('The caller has gone.')
    await expect(renderer.render(sample(), caller.signal)).rejects.toThrow('The caller has gone.')
    expect(renderer.active()).toBe(0)
    renderer.close()
  })

  test('end with the renderer', async () => {
    const renderer = createRenderer()
    const rendering = renderer.render(endless)
    renderer.close()
    await expect(rendering).rejects.toMatchObject({ failure: 'failed' })
  })
})
