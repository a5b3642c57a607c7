// Lets this process import TypeScript.
import { register } from 'node:module'

register('./compile-hooks.mjs', import.meta.url)
