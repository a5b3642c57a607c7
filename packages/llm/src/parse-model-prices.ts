import type { ModelPrices, Prices } from './model-prices.ts'

const ENTRY = /^([^\s=>,/]+)(?:>(\d{1,9}))?=(.*)$/
const AMOUNT = /^\d{1,6}(?:\.\d{1,9})?$/

/**
 * Parses prices in the form `model=input/output/cacheWrite/cacheRead,...`, in US dollars per million tokens. A second
 * entry `model>tokens=...` sets the prices of prompts with more tokens than that. Returns the prices, and an error for
 * every entry that is invalid.
 */
export function parseModelPrices(text: string): { prices: ModelPrices[]; errors: string[] } {
  const rows = new Map<string, ModelPrices>()
  const errors: string[] = []
  for (const entry of text.split(',').map((part) => part.trim())) {
    const [, model, aboveTokens, amounts = ''] = ENTRY.exec(entry) ?? []
    const prices = parseAmounts(amounts)
    const row = model === undefined ? undefined : rows.get(model)
    if (model === undefined || !prices) {
      errors.push(`${quote(entry)} does not have the form model=input/output/cacheWrite/cacheRead.`)
    } else if (aboveTokens === undefined && row) errors.push(`${quote(entry)} repeats a model.`)
    else if (aboveTokens === undefined) rows.set(model, { model, ...prices })
    else if (!row) errors.push(`${quote(entry)} has to come after the base prices of its model.`)
    else if (row.long) errors.push(`${quote(entry)} is a second long-prompt entry for its model.`)
    else row.long = { aboveTokens: Number(aboveTokens), prices }
  }
  return { prices: [...rows.values()], errors }
}

const quote = (entry: string): string => `"${entry}"`

function parseAmounts(text: string): Prices | null {
  const amounts = text.split('/')
  if (!amounts.every((amount) => AMOUNT.test(amount))) return null
  const [input, output, cacheWrite, cacheRead, ...others] = amounts.map(Number)
  if (input === undefined || output === undefined || cacheWrite === undefined || cacheRead === undefined) return null
  return others.length === 0 ? { input, output, cacheWrite, cacheRead } : null
}
