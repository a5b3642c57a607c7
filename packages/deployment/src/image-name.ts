const VERSION = /^v?\d+\.\d+/
const DIGEST = /^sha256:[0-9a-f]{64}$/

/** Returns whether the name of an image stands for one version, by its tag or its digest. */
export function namesOneVersion(image: string): boolean {
  const [name = '', digest] = image.split('@')
  return digest === undefined ? VERSION.test(name.slice(name.lastIndexOf(':') + 1)) : DIGEST.test(digest)
}
