import { readdirSync, readFileSync } from 'node:fs'

/**
 * A fault that users of similar services have reported, with an input that shows it and the right answer. The fields of
 * `expected` depend on the kind.
 */
export interface ReportedCase<Expected> {
  id: string
  kind: string
  /** The public report. */
  report: string
  what: string
  why: string
  /** Path below `reports`. */
  input: string
  expected: Expected
  options?: Record<string, string>
}

const FOLDER = new URL('./reports/', import.meta.url)

const readText = (path: string): string => readFileSync(new URL(path, FOLDER), 'utf8')

/** Lists the reported cases of a kind, each as its ID for the title of a test, and the case. */
export const listReportedCases = <Expected>(kind: string): [string, ReportedCase<Expected>][] =>
  readText('cases.jsonl')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): ReportedCase<Expected> => JSON.parse(line))
    .filter((one) => one.kind === kind)
    .map((one) => [one.id, one])

export const readReportedInput = ({ input }: ReportedCase<unknown>): string => readText(input)

/** Reads the input of a case as JSON. What it contains depends on the kind. */
export const readReportedJson = <Input>(one: ReportedCase<unknown>): Input => JSON.parse(readReportedInput(one))

/** Reads the caption files among the inputs. */
export const listCaptionInputs = (): Buffer[] =>
  readdirSync(new URL('inputs/', FOLDER))
    .filter((name) => /\.(?:vtt|srt|xml|json3)$/.test(name))
    .map((name) => readFileSync(new URL(`inputs/${name}`, FOLDER)))
