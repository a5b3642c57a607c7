import { ModelEnv } from '@subtext/llm/settings'

/** Returns the settings of the model whose prices count. */
export const readModelEnv = () => ModelEnv.pick({ SUMMARY_MODEL: true, MODEL_PRICES: true }).parse(process.env)
