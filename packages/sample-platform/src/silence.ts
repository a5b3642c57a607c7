/** A frame of silence: MPEG-2 Layer III, 8 kbit/s, 16 kHz, mono. Without data, every sample of it is 0. */
const FRAME = Buffer.alloc(36)
FRAME.set([0xff, 0xf3, 0x18, 0xc4])
const SAMPLES_PER_FRAME = 576
const SAMPLES_PER_SECOND = 16_000

/** Returns an MP3 file of silence, which takes a kilobyte for each second. */
export const buildSilence = (seconds: number): Buffer =>
  Buffer.alloc(Math.ceil((seconds * SAMPLES_PER_SECOND) / SAMPLES_PER_FRAME) * FRAME.length, FRAME)
