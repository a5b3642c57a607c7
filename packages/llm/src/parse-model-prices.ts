import type { ModelPrices, Prices } from './model-prices.ts'

const ENTRY = /^([^\s=>,/]+)(?:>(\d{1,9}))?=(.*)$/
const AMOUNT = /^\d{1,6}(?:\.\d{1,9})?$/

/**
 * Prices in the form `model=input/output/cacheWrite/cacheRead,...`, in US dollars for a million tokens. A second entry
 * `model>tokens=...` holds for prompts of more tokens than that. Gives the prices, or what is wrong with each entry.
 */
export function parseModelPrices(text: string): { prices: ModelPrices[]; faults: string[] } {
  const rows = new Map<string, ModelPrices>()
  const faults: string[] = []
  for (const entry of text.split(',').map((part) => part.trim())) {
    const [, model, aboveTokens, amounts = ''] = ENTRY.exec(entry) ?? []
    const prices = parseAmounts(amounts)
    const row = model === undefined ? undefined : rows.get(model)
    if (model === undefined || !prices) faults.push(`${quote(entry)} is not model=input/output/cacheWrite/cacheRead.`)
    else if (aboveTokens === undefined && row) faults.push(`${quote(entry)} comes second for its model.`)
    else if (aboveTokens === undefined) rows.set(model, { model, ...prices })
    else if (!row) faults.push(`${quote(entry)} has to follow the plain prices of its model.`)
    else if (row.long) faults.push(`${quote(entry)} is a second step of its model.`)
    else row.long = { aboveTokens: Number(aboveTokens), prices }
  }
  return { prices: [...rows.values()], faults }
}

const quote = (entry: string): string => `"${entry}"`

function parseAmounts(text: string): Prices | null {
  const amounts = text.split('/')
  if (amounts.length !== 4 || !amounts.every((amount) => AMOUNT.test(amount))) return null
  const [input, output, cacheWrite, cacheRead] = amounts.map(Number) as [number, number, number, number]
  return { input, output, cacheWrite, cacheRead }
}
