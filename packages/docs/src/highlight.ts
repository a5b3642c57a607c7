import highlighter from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import diff from 'highlight.js/lib/languages/diff'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import typescript from 'highlight.js/lib/languages/typescript'

const LANGUAGES = { bash, diff, javascript, json, python, typescript }
for (const [name, language] of Object.entries(LANGUAGES)) highlighter.registerLanguage(name, language)

/** Returns the code as HTML with its parts marked, or null for a language that is not known. */
export const highlight = (code: string, language: string): string | null =>
  highlighter.getLanguage(language) ? highlighter.highlight(code, { language }).value : null
