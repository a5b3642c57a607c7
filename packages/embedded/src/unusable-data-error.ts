/** Thrown when there is data that a server cannot use. The message says how to go on. */
export class UnusableDataError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UnusableDataError'
  }
}
