import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { Manifest, Trigger } from '../kubernetes/manifest.ts'
import { ROOT } from '../paths.ts'
import type { AutoscalerOptions } from './autoscaler.ts'
import type { DeliverySetting } from './deliveries.ts'
import type { ScalingSetting } from './simulate.ts'

/** A deployment that is scaled by what a view of the database says. */
export type Scaled = 'worker' | 'worker-high' | 'webhooks'

export const readScaledObject = (name: Scaled): Manifest =>
  parse(readFileSync(join(ROOT, `k8s/components/autoscaling/${name}.yaml`), 'utf8')) as Manifest

/** Returns a trigger of a ScaledObject. Throws if it has none of that name. */
export function findTrigger({ metadata, spec }: Manifest, name: string): Trigger {
  const trigger = spec?.triggers?.find((one) => one.name === name)
  if (!trigger) throw new Error(`The ScaledObject ${metadata.name} has no trigger "${name}".`)
  return trigger
}

/** The age in seconds by which the query of a trigger divides. */
const readMaxAge = ({ metadata }: Trigger): number =>
  Number(/oldest_waiting_seconds \/ (\d+)/.exec(metadata.query ?? '')?.[1])

/** Returns the numbers and rules of a ScaledObject. Throws if it leaves something to defaults. */
function readRules({ metadata, spec }: Manifest): AutoscalerOptions {
  const behavior = spec?.advanced?.horizontalPodAutoscalerConfig?.behavior
  if (!spec?.minReplicaCount || !spec.maxReplicaCount || !spec.fallback || !behavior) {
    throw new Error(`The ScaledObject ${metadata.name} leaves something to defaults.`)
  }
  const { minReplicaCount: minReplicas, maxReplicaCount: maxReplicas, fallback } = spec
  return { minReplicas, maxReplicas, fallback, ...behavior }
}

/** Returns how a deployment of workers is scaled according to its manifest. */
export function readSetting(name: Exclude<Scaled, 'webhooks'>): ScalingSetting {
  const manifest = readScaledObject(name)
  const age = findTrigger(manifest, 'age')
  return {
    name: 'calm',
    slots: Number(age.metadata.targetQueryValue),
    graceSeconds: 120,
    rowsPerPod: Number(findTrigger(manifest, 'rows').metadata.targetQueryValue),
    maxAge: readMaxAge(age),
    ...readRules(manifest),
  }
}

/** Returns how the webhook sender is scaled according to its manifest. */
export function readDeliverySetting(): DeliverySetting {
  const manifest = readScaledObject('webhooks')
  const latenessPerPod = Number(findTrigger(manifest, 'age').metadata.targetQueryValue)
  return { name: `calm: ${latenessPerPod} s per pod`, latenessPerPod, ...readRules(manifest) }
}
