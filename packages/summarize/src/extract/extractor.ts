import { isWrittenAlike } from '@subtext/captions'
import {
  type BuiltInName,
  EXTRACTIVE,
  type ExtractionContent,
  type FormSchema,
  isBuiltIn,
  type ReserveCost,
  ServiceError,
  type Spending,
} from '@subtext/contracts'
import {
  buildPassageEvidence,
  buildTranscriptEvidence,
  createLeakGuard,
  createPassageFinder,
  createValueChecks,
} from '@subtext/evidence'
import { type ComputeCostUsd, createCostComputer, estimateTokens, type TextModel } from '@subtext/llm'
import { z } from 'zod'
import { explainFailure, type ModelContext, type RequestFailure } from '../model/ask-model.ts'
import { createChecks } from '../model/create-checks.ts'
import { computeMaxLineTokens, isSmallContext, PART_SHARE, type PromptLimits } from '../model/limits.ts'
import { splitLines } from '../model/split-lines.ts'
import { createPacer } from '../pacer.ts'
import { buildExtractionInstruction, buildExtractionVersion } from '../prompts/extraction.ts'
import type { OutputOptions } from '../prompts/instruction.ts'
import { joinPassages } from '../prompts/passages.ts'
import { SYSTEM_RULES } from '../prompts/rules.ts'
import { buildDocument, buildTranscriptLines, countLineTokens } from '../prompts/transcript-document.ts'
import type { Summarizer, SummarySource, UnwrittenReason } from '../summarizer.ts'
import { buildAnswerSchema } from './answer-schema.ts'
import { BUILT_IN_RULES } from './built-in.ts'
import { fillExtractively } from './extractive.ts'
import { type Filling, fillParts, fitTree, instructionOf } from './fill-parts.ts'

export interface TemplateToFill {
  name: string
  /** Whether it is built in: names of accounts differ from those. */
  isBuiltIn: boolean
  instructions: string | null
  schema: FormSchema
}

export interface ExtractOptions {
  signal: AbortSignal
  /** Sets the cost of each call of a model aside. Default: nothing is set aside. */
  reserve?: ReserveCost
  /** Called for everything that is billed. */
  onSpending(spending: Spending): Promise<void>
}

/** `model-required`: without a model, nothing fills it. `invalid`: what is carried does not make up what the schema requires. */
export type MissingReason = 'model-required' | 'invalid' | UnwrittenReason

export type ExtractionOutcome = { content: ExtractionContent } | { missing: MissingReason; error: ServiceError | null }

export interface Extractor {
  /** The model name in extractions. */
  readonly model: string
  /** Changes whenever the same template would be filled differently; part of the cache key. */
  readonly version: string
  /** Fills a template from a transcript. Throws the signal's reason once it is aborted. */
  extract(source: SummarySource, template: TemplateToFill, options: ExtractOptions): Promise<ExtractionOutcome>
}

interface ExtractorOptions extends PromptLimits {
  /** Selects sentences where no model is used. */
  extractive: Summarizer
  /** Null if no model is used. */
  model: TextModel | null
  computeCostUsd?: ComputeCostUsd
  countUnusable?: ModelContext['countUnusable']
}

const isOwnLeak = createLeakGuard([
  buildExtractionInstruction({ part: { number: 1, total: 2 }, language: 'en', focus: null }),
])

/** Creates what fills templates. Every value of a model is checked against the lines that it names. */
export const createExtractor = (options: ExtractorOptions): Extractor => ({
  model: options.model?.model ?? EXTRACTIVE,
  version: buildExtractionVersion(options),
  async extract(source, template, extracting) {
    const { signal } = extracting
    signal.throwIfAborted()
    if (options.model) return fillWithModel(options.model, options, { ...extracting, source, template })
    const content = isBuiltInTemplate(template)
      ? await fillExtractively(template.name, options.extractive, source, signal)
      : null
    return content ? { content } : { missing: 'model-required', error: null }
  },
})

const isBuiltInTemplate = (template: TemplateToFill): template is TemplateToFill & { name: BuiltInName } =>
  template.isBuiltIn && isBuiltIn(template.name)

interface FillRequest extends ExtractOptions {
  source: SummarySource
  template: TemplateToFill
}

const MIN_LINE_TOKENS = 200
const FRAME_MARGIN = 250

async function fillWithModel(
  model: TextModel,
  options: ExtractorOptions,
  request: FillRequest,
): Promise<ExtractionOutcome> {
  const { source, template } = request
  const pace = createPacer(request.signal)
  const spoken = await buildTranscriptLines(source, pace)
  if (spoken.length === 0) {
    return { missing: 'wordless', error: new ServiceError('SUMMARY_UNAVAILABLE', { retryable: false }) }
  }
  const lines = joinPassages(spoken)
  const filling = createFilling(model, options, request, { spoken, lines })
  const head = buildDocument(source, [], { kind: 'transcript', isShort: filling.isShort })
  const frame = [SYSTEM_RULES, head, instructionOf(filling, null), JSON.stringify(filling.answerSchema)].join('\n')
  const maxTokens = computeMaxLineTokens(options, FRAME_MARGIN + estimateTokens(frame))
  if (maxTokens < MIN_LINE_TOKENS) return explain('too-long')
  const isWhole = countLineTokens(lines) <= maxTokens
  const parts = isWhole ? [{ lines, before: '' }] : splitLines(lines, maxTokens * PART_SHARE)
  const filled = await fillParts(filling, template.schema, parts)
  if ('failure' in filled) return explain(filled.failure)
  const fitted = fitTree(filling, template.schema, filled.tree)
  if (!fitted || !fits(template.schema, fitted.data)) return { missing: 'invalid', error: null }
  return { content: { ...fitted, model: model.model } }
}

function explain(failure: RequestFailure): ExtractionOutcome {
  if (failure === 'unsupported') return { missing: 'invalid', error: null }
  const { reason, error } = explainFailure(failure)
  return { missing: reason, error }
}

function createFilling(
  model: TextModel,
  options: ExtractorOptions,
  { source, template, signal, reserve, onSpending }: FillRequest,
  { spoken, lines }: Record<'spoken' | 'lines', Awaited<ReturnType<typeof buildTranscriptLines>>>,
): Filling {
  const { cues, track, outputLanguage, instructions } = source
  const language = outputLanguage ?? track.language
  const isQuoting = !isWrittenAlike(track.language, language)
  const focus = [template.instructions, instructions].filter((each) => each !== null).join(' ')
  const outputOptions: OutputOptions = { language, focus: focus === '' ? null : focus, isQuoting }
  const rules = isBuiltInTemplate(template) ? BUILT_IN_RULES[template.name] : {}
  const form = rules.form ?? template.schema
  const checks = createChecks(source, outputOptions, { lines: spoken, passages: lines }).lines
  const findPassage = createPassageFinder(lines)
  const evidence = buildPassageEvidence(buildTranscriptEvidence(cues), findPassage)
  return {
    context: {
      model,
      video: source.video,
      computeCostUsd: options.computeCostUsd ?? createCostComputer(),
      signal,
      reserve,
      onSpending,
      countUnusable: options.countUnusable ?? (() => {}),
      ownDocuments: new Set(),
      isCacheKept: false,
      beginWithinMs: 0,
    },
    source,
    form,
    rules,
    outputOptions,
    answerSchema: buildAnswerSchema({ form, isQuoting }),
    check: {
      cues,
      claim: { ...checks, evidence, isLeak: (text) => isOwnLeak(text) || checks.isLeak(text) },
      values: createValueChecks(track.language),
      resolve: (claim) => checks.resolve?.(claim) ?? claim,
      findPassage,
      findQuoted: checks.findSaid,
      isQuoting,
    },
    isShort: isSmallContext(options),
    // An answer that has arrived is billed, so it is checked even if the work was aborted in the meantime.
    pace: createPacer(new AbortController().signal),
  }
}

const fits = (schema: FormSchema, data: unknown): boolean =>
  z.fromJSONSchema(schema as z.core.JSONSchema.JSONSchema).safeParse(data).success
