import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DockerfileParser } from 'dockerfile-ast'
import { ROOT } from '../paths.ts'

/** What the image consists of, as `docker/Dockerfile` says. */
export interface ImageDescription {
  /** Default of the argument that every stage starts from. */
  base: string
  /** The files and folders copied into the image, relative to the sources. */
  contents: string[]
  env: Record<string, string>
  user: string
  entrypoint: string[]
  command: string[]
  healthcheck: string[]
}

export const DOCKERFILE = readFileSync(join(ROOT, 'docker/Dockerfile'), 'utf8')

/** Parses a Dockerfile whose last stage copies from the stage `build`, which has the sources in /src. */
export function describeImage(text: string): ImageDescription {
  const file = DockerfileParser.parse(text)
  const [base] = file.getARGs()
  const values = (instruction: { getArguments(): { getValue(): string }[] } | undefined) =>
    instruction?.getArguments().map((argument) => argument.getValue()) ?? []
  const copies = file
    .getCOPYs()
    .filter((copy) => copy.getFlags().some((flag) => flag.getName() === 'from' && flag.getValue() === 'build'))
  return {
    base: base?.getProperty()?.getValue() ?? '',
    contents: copies.flatMap((copy) => values(copy).slice(0, -1)).map((path) => path.replace(/^\/src\//, '')),
    env: Object.fromEntries(
      file.getENVs().flatMap((env) => env.getProperties().map((one) => [one.getName(), one.getValue() ?? ''])),
    ),
    user: values(file.getInstructions().findLast((one) => one.getKeyword() === 'USER'))[0] ?? '',
    entrypoint: parseExec(file.getENTRYPOINTs().at(-1)?.getRawArgumentsContent()),
    command: parseExec(file.getCMDs().at(-1)?.getRawArgumentsContent()),
    healthcheck: parseExec(
      file
        .getHEALTHCHECKs()
        .at(-1)
        ?.getRawArgumentsContent()
        ?.replace(/^CMD\s+/, ''),
    ),
  }
}

/** Parses the exec form of an instruction. The shell form yields nothing: its shell would not pass on signals. */
function parseExec(text: string | null | undefined): string[] {
  try {
    return JSON.parse(text ?? '[]')
  } catch {
    return []
  }
}
