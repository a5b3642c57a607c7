import { crc32, deflateSync } from 'node:zlib'

const SIZES: Readonly<Record<string, readonly [width: number, height: number]>> = {
  default: [120, 90],
  mqdefault: [320, 180],
  hqdefault: [480, 360],
  sddefault: [640, 480],
  maxresdefault: [1280, 720],
}
const LARGE = new Set(['sddefault', 'maxresdefault'])
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Draws a PNG in the size of the named thumbnail, colored by the video's ID. Returns `null` for an unknown size. */
export function drawThumbnail(videoId: string, name: string, highDefinition: boolean): Buffer | null {
  const size = SIZES[name]
  if (size === undefined || (LARGE.has(name) && !highDefinition)) return null
  const [width, height] = size
  const hue = crc32(videoId)
  const rows = Buffer.alloc(height * (1 + width * 3))
  for (let y = 0; y < height; y++) {
    const shade = Math.round((96 * y) / height)
    const row = y * (1 + width * 3) + 1
    rows.fill(
      Buffer.from([(hue & 127) + shade, ((hue >> 7) & 127) + shade, ((hue >> 14) & 127) + shade]),
      row,
      row + width * 3,
    )
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits each for red, green and blue.
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const frame = Buffer.alloc(body.length + 8)
  frame.writeUInt32BE(data.length, 0)
  body.copy(frame, 4)
  frame.writeUInt32BE(crc32(body), body.length + 4)
  return frame
}
