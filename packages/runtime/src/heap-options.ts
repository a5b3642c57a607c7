/**
 * Options of Node.js for every process of the service. By default V8 lets a heap grow with the memory of the machine, and young
 * objects take 48 MB, which a service of several processes cannot afford. The largest transcripts need half of this heap.
 * The image sets the same ones.
 */
export const HEAP_OPTIONS = '--max-old-space-size=256 --max-semi-space-size=4'
