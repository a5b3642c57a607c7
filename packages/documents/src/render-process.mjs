// Runs as a process of its own: node render-process.mjs <memory limit in bytes> Renders one document after another, as its
// parent requests in messages.
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { FONTS, loadResvg, loadTypst, TEMPLATES } from './engine.mjs'
import { mapText } from './pdf/map-text.mjs'

const PART_BYTES = 65_536
const MAX_MESSAGE_CHARS = 2_000

/** The CPU time of this process, in milliseconds, at which the current document has used up its own; 0 for no limit. */
const cpuLimit = new Float64Array(new SharedArrayBuffer(8))

// Compiling blocks this thread.
new Worker(new URL('./watchdog.mjs', import.meta.url), {
  workerData: { maxBytes: Number(process.argv[2]), parent: process.ppid, cpuLimit },
}).unref()

const Typst = loadTypst()
// The form that the parent expects.
if (!Typst) process.exit(69)
const compiler = Typst.create({ workspace: TEMPLATES, fontArgs: [{ fontPaths: FONTS }] })

/** One pixel for each point: resvg has 96 pixels to the inch, and Typst 72 points. */
const RASTER_OPTIONS = JSON.stringify({ fitTo: { mode: 'zoom', value: 72 / 96 }, font: { loadSystemFonts: false } })
let Resvg

function rasterize(svg) {
  Resvg ??= loadResvg()
  return new Resvg(svg, RASTER_OPTIONS).render().asPng()
}

let data = []

process
  .on('disconnect', () => process.exit(0))
  .on('message', (message) => {
    if (message.kind === 'file') compiler.mapShadow(join(TEMPLATES, message.name), Buffer.from(message.bytes))
    else if (message.kind === 'data') data.push(message.text)
    else answer(message)
  })

function answer(request) {
  const { user, system } = process.cpuUsage()
  cpuLimit[0] = (user + system) / 1_000 + request.cpuMs
  try {
    const { output, ...result } = render(request)
    for (let at = 0; at < output.length; at += PART_BYTES) {
      process.send({ kind: 'output', bytes: output.subarray(at, at + PART_BYTES) })
    }
    process.send({ kind: 'done', result })
  } catch (error) {
    process.send({ kind: 'failed', message: String(error?.message ?? error).slice(0, MAX_MESSAGE_CHARS) })
  } finally {
    cpuLimit[0] = 0
    // Nothing of this document may reach the next one.
    data = []
    compiler.resetShadow()
    compiler.evictCache(0)
  }
}

function render(request) {
  const bytes = Buffer.from(data.join(''))
  data = []
  compiler.mapShadow(join(TEMPLATES, 'data.json'), bytes)
  const compiled = compiler.compile({ mainFilePath: join(TEMPLATES, `${request.template}.typ`) })
  const document = compiled.result
  if (!document) throw new Error(JSON.stringify(compiler.fetchDiagnostics(compiled.takeError())))
  const output = EXPORTS[request.format](document, bytes.length <= request.maxTaggedBytes)
  return { pages: document.numOfPages, ...output }
}

const EXPORTS = { svg: toSvg, png: toPng, pdf: toPdf }

function toSvg(document) {
  return { output: Buffer.from(compiler.plainSvg(document)), conforms: true }
}

function toPng(document) {
  return { output: rasterize(compiler.plainSvg(document)), conforms: true }
}

function toPdf(document, pdfTags) {
  try {
    const pdf = compiler.pdf(document, { pdfTags, pdfStandard: pdfTags ? 'ua-1' : 'a-2b' })
    return { output: mapText(pdf), conforms: true }
  } catch (error) {
    // In the standards, a character that no font has is an error. A document that shows a box for it is better than none.
    if (!/could not be displayed with font/.test(error?.message)) throw error
    return { output: mapText(compiler.pdf(document, { pdfTags })), conforms: false }
  }
}
