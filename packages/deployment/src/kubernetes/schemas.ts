import { Issuer } from '@kubernetes-models/cert-manager/cert-manager.io/v1/Issuer'
import { ExternalSecret } from '@kubernetes-models/external-secrets/external-secrets.io/v1/ExternalSecret'
import { ScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject'
import { TriggerAuthentication } from '@kubernetes-models/keda/keda.sh/v1alpha1/TriggerAuthentication'
import { PodMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PodMonitor'
import { PrometheusRule } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PrometheusRule'
import { ServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor'
import { Deployment } from 'kubernetes-models/apps/v1/Deployment'
import { StatefulSet } from 'kubernetes-models/apps/v1/StatefulSet'
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler'
import { CronJob } from 'kubernetes-models/batch/v1/CronJob'
import { Job } from 'kubernetes-models/batch/v1/Job'
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress'
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget'
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap'
import { Namespace } from 'kubernetes-models/v1/Namespace'
import { PersistentVolumeClaim } from 'kubernetes-models/v1/PersistentVolumeClaim'
import { Secret } from 'kubernetes-models/v1/Secret'
import { Service } from 'kubernetes-models/v1/Service'
import { ServiceAccount } from 'kubernetes-models/v1/ServiceAccount'
import type { Policy } from '../finding.ts'
import { type Manifest, nameOf } from './manifest.ts'

interface Model {
  apiVersion: string
  kind: string
  /** Validates `this`. Throws if it is invalid. */
  prototype: { validate(): void }
}

const MODELS: Model[] = [
  ...[ConfigMap, CronJob, Deployment, HorizontalPodAutoscaler, Ingress, Job, Namespace, NetworkPolicy],
  ...[PersistentVolumeClaim, PodDisruptionBudget, Secret, Service, ServiceAccount, StatefulSet],
  ...[ExternalSecret, Issuer, PodMonitor, PrometheusRule, ScaledObject, ServiceMonitor, TriggerAuthentication],
]

/** Every document must be of a known kind and valid, without a field that its schema does not know. */
export const SCHEMA_POLICY: Policy<readonly Manifest[]> = {
  name: 'schema',
  check(manifests, report) {
    for (const manifest of manifests) {
      const model = MODELS.find(({ apiVersion, kind }) => apiVersion === manifest.apiVersion && kind === manifest.kind)
      if (!model) report(nameOf(manifest), `unknown kind ${manifest.apiVersion}/${manifest.kind}`)
      else for (const problem of findProblems(model, manifest)) report(nameOf(manifest), problem)
    }
  },
}

function findProblems(model: Model, manifest: Manifest): string[] {
  const read = new Set<string>()
  try {
    model.prototype.validate.call(record(manifest, '', read))
  } catch (error) {
    return [(error as Error).message]
  }
  return listPaths(manifest, '')
    .filter((path) => !read.has(path))
    .map((path) => `unknown field ${path}`)
}

/**
 * Returns a view of a document that notes which fields are read. The published schemas allow unknown fields; what a
 * validator has never read is one.
 */
function record<T>(value: T, path: string, read: Set<string>): T {
  if (typeof value !== 'object' || value === null) return value
  const views = new Map<PropertyKey, unknown>()
  return new Proxy(value, {
    get(target, name) {
      const field = Reflect.get(target, name)
      if (typeof name === 'symbol' || !Object.hasOwn(target, name)) return field
      const at = `${path}/${name}`
      read.add(at)
      if (!views.has(name)) views.set(name, record(field, at, read))
      return views.get(name)
    },
  })
}

function listPaths(value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, field]) => [`${path}/${name}`, ...listPaths(field, `${path}/${name}`)])
}
