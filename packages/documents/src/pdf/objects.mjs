// The objects of a PDF as Typst writes it: a table of places, no object streams, streams of text compressed or plain.
import { deflateSync, inflateSync } from 'node:zlib'

const STREAM = '\nstream\n'

/**
 * @typedef {{ head: string, bytes: Buffer }} PdfObject `head` is the text before the stream, or all of it
 * @typedef {{ start: Buffer, trailer: string, objects: Map<number, PdfObject> }} PdfFile
 */

/** @param {Buffer} pdf @returns {PdfFile} */
export function readPdf(pdf) {
  const xref = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(pdf.toString('latin1', pdf.length - 64))?.[1])
  const [table, trailer] = pdf.toString('latin1', xref).split(/(?=^trailer$)/m)
  const places = [...table.matchAll(/^(\d{10}) \d{5} ([nf])/gm)]
    .map(([, offset, kind], number) => ({ number, offset: Number(offset), used: kind === 'n' }))
    .filter(({ used }) => used)
    .sort((a, b) => a.offset - b.offset)
  const readObject = ({ number, offset }, index) => {
    const bytes = pdf.subarray(offset, places[index + 1]?.offset ?? xref)
    const stream = bytes.indexOf(STREAM)
    return [number, { bytes, head: bytes.toString('latin1', 0, stream < 0 ? bytes.length : stream) }]
  }
  return { start: pdf.subarray(0, places[0].offset), trailer, objects: new Map(places.map(readObject)) }
}

/** @param {PdfFile} file @returns {Buffer} */
export function writePdf({ start, trailer, objects }) {
  const size = Math.max(...objects.keys()) + 1
  const places = Array(size).fill('0000000000 65535 f')
  let offset = start.length
  for (const [number, { bytes }] of objects) {
    places[number] = `${String(offset).padStart(10, '0')} 00000 n`
    offset += bytes.length
  }
  const end = trailer.replace(/\/Size \d+/, `/Size ${size}`).replace(/startxref\s+\d+/, `startxref\n${offset}`)
  const table = `xref\n0 ${size}\n${places.map((place) => `${place}\r\n`).join('')}${end}`
  return Buffer.concat([start, ...[...objects.values()].map(({ bytes }) => bytes), Buffer.from(table, 'latin1')])
}

/**
 * Returns the content of a stream as Latin-1, or undefined if the object has none that can be read.
 *
 * @param {PdfObject} object
 */
export function readStream({ bytes, head }) {
  const length = Number(/\/Length (\d+)/.exec(head)?.[1])
  const filter = /\/Filter (\/\w+|\[[^\]]*\])/.exec(head)?.[1]
  if (Number.isNaN(length) || (filter !== undefined && filter !== '/FlateDecode')) return undefined
  const from = head.length + STREAM.length
  const content = bytes.subarray(from, from + length)
  return (filter === undefined ? content : inflateSync(content)).toString('latin1')
}

/**
 * Returns an object with a stream. `entries` are the other entries of its dictionary.
 *
 * @param {number} number @param {string} content in Latin-1 @param {string} [entries] @returns {PdfObject}
 */
export function writeStream(number, content, entries = '') {
  const packed = deflateSync(Buffer.from(content, 'latin1'))
  const head = `${number} 0 obj\n<<\n  /Length ${packed.length}\n  /Filter /FlateDecode${entries}\n>>`
  return {
    head,
    bytes: Buffer.concat([Buffer.from(head + STREAM, 'latin1'), packed, Buffer.from('\nendstream\nendobj\n\n')]),
  }
}

/** Returns an object without a stream. */
export const writeObject = (text) => ({ head: text, bytes: Buffer.from(text, 'latin1') })
