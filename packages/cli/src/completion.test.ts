import { execFileSync } from 'node:child_process'
import { jest } from '@jest/globals'
import { runCli } from './testing/run-cli.ts'

test.each(['zsh', 'fish'])('prints a completion script for %s', async (shell) => {
  const log = jest.spyOn(console, 'log').mockImplementation(() => undefined)
  const { code } = await runCli(['completion', shell])
  expect([code, String(log.mock.calls[0]?.[0])]).toEqual([0, expect.stringContaining('subtext')])
  log.mockRestore()
})

/** Completes the last word in bash without configuration, with a `subtext` that suggests these lines. */
async function completeInBash(words: string[], suggestions: string): Promise<string[]> {
  const { stdout: script } = await runCli(['completion', 'bash'])
  const program = `
set -eu
subtext() { printf '%s\\n' "$SUGGESTIONS"; printf '%s ' "$@" >&2; }
${script}
${script}
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_subtext
printf '%s\\n' \${COMPREPLY[@]+"\${COMPREPLY[@]}"}`
  const env = { SUGGESTIONS: suggestions }
  const out = execFileSync('bash', ['--norc', '-c', program, 'bash', ...words], { env, encoding: 'utf8' })
  return out.split('\n').filter(Boolean)
}

test('completes in a bash without the package bash-completion', async () => {
  const formats = 'md\t\nmp3\ttwo words\ntxt\t\n:4'
  expect(await completeInBash(['subtext', 'summarize', '--format', 'm'], formats)).toEqual(['md', 'mp3'])
  expect(await completeInBash(['subtext', 'summarize', ''], ':4')).toEqual([])
})

test('runs nothing that is on the line when it completes', async () => {
  expect(await completeInBash(['subtext', '$(echo evil >&2; kill $$)', ''], 'md\n:4')).toEqual(['md'])
})
