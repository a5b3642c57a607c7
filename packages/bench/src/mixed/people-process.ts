import { setTimeout as sleep } from 'node:timers/promises'
import { buildSpeech } from '@subtext/contracts/testing'
import { startMessagesApi } from '@subtext/fakes'
import { handleCalls } from '../child-process.ts'
import { NOTHING, type People, type PeopleCounts, send } from './round.ts'

/** How the model answers: a pause for the first word, then about 200 tokens at this pace. */
const MODEL_DELAY_MS = 500
const TOKENS_PER_SECOND = 50
const ANSWER_LINES = 12
/** About how long an answer takes. */
const ANSWER_MS = (ANSWER_LINES * 16_000) / TOKENS_PER_SECOND

/** Starts the model, which answers every question in the same way. Returns its address. */
async function startModel(talkBytes: number): Promise<string> {
  const model = await startMessagesApi()
  const lines = buildSpeech(talkBytes).slice(0, ANSWER_LINES)
  const text = lines.map((line, index) => `${line.text} [${index + 1}]`).join('\n')
  const pace = { delayMs: MODEL_DELAY_MS, tokensPerSecond: TOKENS_PER_SECOND }
  model.failNext({ kind: 'paced', text, ...pace }, { times: Number.POSITIVE_INFINITY })
  return model.baseUrl
}

/** Waits as long as a response asks for, in `Retry-After`. */
const waitAsTold = (response: Response): Promise<unknown> =>
  sleep(1_000 * Number(response.headers.get('retry-after') ?? 1))

let counts: PeopleCounts = { ...NOTHING }
let ended: Promise<unknown> = Promise.resolve()
let failure: Error | undefined
let stop = new AbortController()

async function chat(people: People, index: number): Promise<void> {
  // People do not begin at the same moment.
  await sleep((index * ANSWER_MS) / people.chats)
  while (!stop.signal.aborted) {
    const message = { message: 'Which way do rivers take to the sea?', stream: true }
    const response = await send(people, `/videos/chat/${people.chatJob}`, message)
    counts.open++
    const text = await response.text()
    counts.open--
    // A machine that is too busy refuses or interrupts some; the table shows how many.
    if (response.status === 503 || text.includes('"SERVICE_UNAVAILABLE"')) {
      counts.refusals++
      await waitAsTold(response)
    } else if (response.status === 200 && text.includes('event: done')) counts.chats++
    else throw new Error(`A chat failed: ${text.slice(-300)}`)
  }
}

/** Jobs whose PDF nobody has requested, since one that is kept would cost nothing. */
let unrendered: string[] | undefined

async function render(people: People, jobs: string[]): Promise<void> {
  while (!stop.signal.aborted) {
    const job = jobs.pop()
    if (job === undefined) throw new Error('All PDFs are rendered.')
    const response = await send(people, `/videos/export/${job}/pdf`)
    const bytes = (await response.arrayBuffer()).byteLength
    if (response.status === 503) {
      counts.refusals++
      jobs.unshift(job)
      await waitAsTold(response)
    } else if (response.status === 200 && bytes > 10_000) counts.pdfs++
    else throw new Error(`A PDF failed with ${response.status}.`)
  }
}

/** Begins chats and PDFs, and keeps them in progress: each person asks again as soon as an answer is there. */
async function begin(people: People): Promise<void> {
  stop = new AbortController()
  counts = { ...NOTHING }
  unrendered ??= people.pdfJobs
  const jobs = unrendered
  ended = Promise.all([
    ...Array.from({ length: people.chats }, (_, index) => chat(people, index)),
    ...Array.from({ length: people.pdfs }, () => render(people, jobs)),
  ]).catch((error: Error) => {
    failure = error
  })
}

/** Returns what has been done since the beginning. Throws if somebody got a wrong answer. */
async function count(): Promise<PeopleCounts> {
  if (failure) throw failure
  return counts
}

/** Lets everybody finish. */
async function end(): Promise<void> {
  stop.abort()
  await ended
}

handleCalls({ startModel, begin, count, end })
