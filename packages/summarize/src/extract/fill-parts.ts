import { type FormSchema, ServiceError } from '@subtext/contracts'
import { buildPassageEvidence, buildTranscriptEvidence } from '@subtext/evidence'
import { extractJson, isRejected } from '@subtext/llm'
import { askModel, type ModelContext, type RequestFailure, recordSpending } from '../model/ask-model.ts'
import type { TranscriptPart } from '../model/split-lines.ts'
import type { Pace } from '../pacer.ts'
import { buildExtractionInstruction, EXTRACTION_MAX_OUTPUT_TOKENS, withSchemaInText } from '../prompts/extraction.ts'
import type { OutputOptions } from '../prompts/instruction.ts'
import { buildDocument } from '../prompts/transcript-document.ts'
import type { SummarySource } from '../summarizer.ts'
import type { BuiltInRules } from './built-in.ts'
import type { LeafCheck } from './check-leaf.ts'
import { type Fitted, fitForm } from './fit-form.ts'
import { hasOutline, readTree } from './read-answer.ts'
import { mergeTrees, type Tree } from './tree.ts'

/** A template with everything that is derived from it and its source. */
export interface Filling {
  context: ModelContext
  source: SummarySource
  /** What the model is asked for. */
  form: FormSchema
  rules: BuiltInRules
  outputOptions: OutputOptions
  answerSchema: Record<string, unknown>
  check: LeafCheck
  isShort: boolean
  pace: Pace
}

export const fitTree = (
  { rules, check }: Pick<Filling, 'rules' | 'check'>,
  schema: FormSchema,
  tree: Tree,
): Fitted | null => fitForm(schema, rules.finish?.(tree, check) ?? tree)

type PartPosition = { number: number; total: number } | null

/** Fills a form from the parts of a transcript: lists are joined, of a single value the first carried one counts. */
export async function fillParts(
  filling: Filling,
  schema: FormSchema,
  parts: TranscriptPart[],
): Promise<{ tree: Tree } | { failure: RequestFailure }> {
  let merged: Tree | null = null
  for (const [index, part] of parts.entries()) {
    const position = parts.length > 1 ? { number: index + 1, total: parts.length } : null
    const filled = await fillPart(filling, schema, part, position)
    if ('failure' in filled) return filled
    merged = merged ? mergeTrees(merged, filled.tree) : filled.tree
  }
  return merged ? { tree: merged } : { failure: 'empty' }
}

/** A part that turns out to be too long is split into halves, and a half that is too long is split again. */
const MAX_SPLITS = 2

async function fillPart(
  filling: Filling,
  schema: FormSchema,
  part: TranscriptPart,
  position: PartPosition,
  splits = 0,
): Promise<{ tree: Tree } | { failure: RequestFailure }> {
  const asked = await askForPart(filling, schema, part, position)
  if (!('failure' in asked)) return asked
  const isTooMuch = asked.failure === 'cut' || asked.failure === 'too-long'
  if (!isTooMuch || splits === MAX_SPLITS || part.lines.length < 2) return asked
  const middle = Math.ceil(part.lines.length / 2)
  const halves = [part.lines.slice(0, middle), part.lines.slice(middle)]
  let merged: Tree | null = null
  for (const [index, lines] of halves.entries()) {
    const place = position ?? { number: index + 1, total: halves.length }
    const filled = await fillPart(filling, schema, { lines, before: part.before }, place, splits + 1)
    if ('failure' in filled) return filled
    merged = merged ? mergeTrees(merged, filled.tree) : filled.tree
  }
  return merged ? { tree: merged } : asked
}

export const instructionOf = ({ outputOptions }: Pick<Filling, 'outputOptions'>, part: PartPosition): string =>
  buildExtractionInstruction({ ...outputOptions, part })

/** Asks with the schema, or with the schema in the text if the provider of the model refuses it. */
async function askForPart(
  filling: Filling,
  schema: FormSchema,
  part: TranscriptPart,
  position: PartPosition,
): Promise<{ tree: Tree } | { failure: RequestFailure }> {
  const instruction = instructionOf(filling, position)
  const asked = await ask(filling, schema, part, { instruction, position, schema: filling.answerSchema })
  const isRefused = 'failure' in asked && asked.failure instanceof ServiceError && isRejected(asked.failure)
  if (!isRefused) return asked
  return ask(filling, schema, part, { instruction: withSchemaInText(instruction, filling.answerSchema), position })
}

async function ask(
  filling: Filling,
  schema: FormSchema,
  { lines, before }: TranscriptPart,
  request: { instruction: string; position: PartPosition; schema?: Record<string, unknown> },
): Promise<{ tree: Tree } | { failure: RequestFailure }> {
  const { context, source, form, rules, pace } = filling
  const last = lines.at(-1)
  const evidence = buildPassageEvidence(
    buildTranscriptEvidence(source.cues, lines[0]?.id ?? 0, last?.lastId ?? last?.id ?? 0),
    filling.check.findPassage,
  )
  const check = { ...filling.check, claim: { ...filling.check.claim, evidence } }
  const result = await askModel<Tree>(context, {
    document: buildDocument(source, lines, { kind: 'transcript', before, isShort: filling.isShort }),
    cacheDocument: null,
    instruction: request.instruction,
    ...(request.schema && { schema: request.schema }),
    maxOutputTokens: EXTRACTION_MAX_OUTPUT_TOKENS,
    mode: null,
    async read(text) {
      const answer = extractJson(text)
      if (!answer) return { fault: 'json' }
      if (!hasOutline(form, answer)) return { fault: 'structure' }
      const tree = await readTree(form, answer, { check, checkValue: rules.checkValue, pace })
      // Of several parts, others may say what is missing.
      const isUnfit = request.position === null && fitTree({ rules, check }, schema, tree) === null
      return isUnfit ? { fault: 'unsupported' } : { value: tree }
    },
  })
  if ('failure' in result) return result
  const { model } = context.model
  await recordSpending(context, { purpose: 'extraction', mode: null, model, usage: result.usage })
  return { tree: result.value }
}
