import { readFileSync } from 'node:fs'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { Policy } from '../finding.ts'
import { type Manifest, nameOf } from './manifest.ts'

/** The schemas of the kinds that the manifests use, as `write-schemas.mjs` writes them: no field is allowed that they do not name. */
interface Schemas {
  /** Names of definitions by version and kind. */
  kinds: Record<string, string>
  definitions: Record<string, object>
}

const { kinds, definitions } = JSON.parse(readFileSync(new URL('./schemas.json', import.meta.url), 'utf8')) as Schemas

// The patterns of custom resources are written for Go, which does without Unicode's rules of escaping.
const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false, validateSchema: false })
ajv.addSchema({ $id: 'kubernetes', definitions })

function findSchema({ apiVersion, kind }: Manifest): ValidateFunction | undefined {
  const name = kinds[`${apiVersion}/${kind}`]
  return name === undefined ? undefined : ajv.getSchema(`kubernetes#/definitions/${name}`)
}

const describe = ({ instancePath, message, params }: ErrorObject): string =>
  params.additionalProperty === undefined
    ? `${instancePath || '/'} ${message}`
    : `unknown field ${instancePath}/${params.additionalProperty}`

/** Every document must be of a known kind and valid, without a field that its schema does not know. */
export const SCHEMA_POLICY: Policy<readonly Manifest[]> = {
  name: 'schema',
  check(manifests, report) {
    for (const manifest of manifests) {
      const validate = findSchema(manifest)
      if (!validate) report(nameOf(manifest), `unknown kind ${manifest.apiVersion}/${manifest.kind}`)
      else if (!validate(manifest)) for (const error of validate.errors ?? []) report(nameOf(manifest), describe(error))
    }
  },
}
