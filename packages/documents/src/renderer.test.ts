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
  test('let as many as allowed wait for their turn, and refuse more', async () => {
    const renderer = createRenderer({ maxRenders: 1, maxWaiting: 2 })
    const made = [renderer.render(sample()), renderer.render(sample()), renderer.render(sample())]
    expect(renderer.active()).toBe(3)
    await expect(renderer.render(sample())).rejects.toEqual(new RenderError('busy'))
    await Promise.all(made)
    expect(renderer.active()).toBe(0)
    renderer.close()
  })

  test('refuse a document that has waited for too long', async () => {
    const renderer = createRenderer({ maxRenders: 1, maxWaitMs: 100 })
    const caller = new AbortController()
    const first = renderer.render(endless, { signal: caller.signal })
    await expect(renderer.render(sample())).rejects.toMatchObject({ failure: 'busy' })
    caller.abort()
    await expect(first).rejects.toThrow()
    renderer.close()
  })

  test('end the wait of a caller that has gone, and every wait with the renderer', async () => {
    const renderer = createRenderer({ maxRenders: 1 })
    const caller = new AbortController()
    const first = renderer.render(endless)
    const second = renderer.render(sample(), { signal: caller.signal })
    caller.abort(new Error('The caller has gone.'))
    await expect(second).rejects.toThrow('The caller has gone.')
    const third = renderer.render(sample())
    renderer.close()
    await expect(first).rejects.toMatchObject({ failure: 'failed' })
    await expect(third).rejects.toMatchObject({ failure: 'failed' })
  })

  test('leave a turn to other accounts, whatever one of them asks for', async () => {
    const renderer = createRenderer({ maxRenders: 2 })
    const caller = new AbortController()
    const greedy = Array.from({ length: 4 }, () =>
      renderer.render(endless, { account: 'greedy', signal: caller.signal }).catch(() => 'ended'),
    )
    await expect(renderer.render(sample(), { account: 'other' })).resolves.toMatchObject({ pages: 1 })
    caller.abort()
    expect(await Promise.all(greedy)).toEqual(Array(4).fill('ended'))
    renderer.close()
  })

  test('kill a process that uses too much CPU time', async () => {
    const renderer = createRenderer({ cpuMs: 2_000, timeoutMs: 240_000 })
    await expect(renderer.render(endless)).rejects.toMatchObject({ failure: 'timeout' })
    await expect(renderer.render(sample())).resolves.toMatchObject({ pages: 1 })
    renderer.close()
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
    const rendering = renderer.render(endless, { signal: caller.signal })
    caller.abort(new Error('The caller has gone.'))
    await expect(rendering).rejects.toThrow('The caller has gone.')
    await expect(renderer.render(sample(), { signal: caller.signal })).rejects.toThrow('The caller has gone.')
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
