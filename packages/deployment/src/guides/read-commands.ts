import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../paths.ts'

/** A command that a guide tells its readers to run. */
export interface GuideCommand {
  /** The guide and the line in it. */
  where: string
  words: string[]
  /** The folder in which it runs, relative to the repository. */
  folder: string
}

const PROGRAMS = ['kubectl', 'kustomize', 'docker', 'node', 'npm', 'systemctl', 'journalctl', 'subtext-run', 'sudo']

/** Reads the commands of all guides for operators. */
export function readGuideCommands(): GuideCommand[] {
  const folder = join(ROOT, 'docs/operating')
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .sort()
    .flatMap((file) => readCommands(file, readFileSync(join(folder, file), 'utf8')))
}

/** Reads the commands in the shell blocks and code spans of a guide, if their program is one that policies exist for. */
export function readCommands(file: string, markdown: string): GuideCommand[] {
  const commands: GuideCommand[] = []
  let fence: string | null = null
  let folder = ''
  const add = (text: string, line: number): void => {
    for (const words of splitCommands(text)) {
      if (words[0] === 'cd') folder = words[1] ?? ''
      else if (PROGRAMS.includes(words[0] ?? '')) commands.push({ where: `${file}:${line}`, words, folder })
    }
  }
  for (const [index, line] of markdown.split('\n').entries()) {
    const opening = /^\s*```(\w*)/.exec(line)
    if (opening) {
      fence = fence === null ? (opening[1] ?? '') : null
      folder = ''
    } else if (fence === 'sh') {
      add(line, index + 1)
    } else if (fence === null) {
      for (const [, span = ''] of line.matchAll(/`([^`]+)`/g)) if (span.includes(' ')) add(span, index + 1)
    }
  }
  return commands
}

const withoutComment = (line: string): string => ` ${line}`.split(' #', 1)[0] ?? ''

/** Splits a line into commands, and each of them into words, without comments, assignments and redirections. */
const splitCommands = (line: string): string[][] =>
  withoutComment(line)
    .split(/&&|\||;/)
    .map((text) =>
      [...text.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)]
        .map(([, single, double, plain]) => single ?? double ?? plain ?? '')
        .filter((word, index) => !/^[<>]/.test(word) && (index > 0 || word !== '')),
    )
    .map((words) => words.slice(words.findIndex((word) => !/^\w+=/.test(word))))
