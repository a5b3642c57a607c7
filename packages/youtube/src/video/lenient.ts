import type { z } from 'zod'

/** The platform changes its responses without notice: a missing or malformed part is skipped and never an error. */
export const lenient = <S extends z.ZodType>(schema: S) => schema.optional().catch(undefined)
