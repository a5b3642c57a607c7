/** A metric of KEDA as the autoscaler sees it: a value for the whole deployment, and how much of it one pod may have. */
export interface Metric {
  /** Undefined while it cannot be read. */
  value: number | undefined
  target: number
}

/** A limit on how far the number of pods may change within a period. */
export interface ScalingPolicy {
  type: 'Pods' | 'Percent'
  value: number
  periodSeconds: number
}
export interface ScalingRules {
  stabilizationWindowSeconds: number
  policies: ScalingPolicy[]
}
export interface AutoscalerOptions {
  minReplicas: number
  maxReplicas: number
  scaleUp: ScalingRules
  scaleDown: ScalingRules
  fallback: { failureThreshold: number; replicas: number }
}

/** Kubernetes ignores a difference of up to a tenth. */
const TOLERANCE = 0.1

/** The longest period that a policy may have. */
const MAX_PERIOD_SECONDS = 1_800

interface Change {
  at: number
  added: number
}

/**
 * The arithmetic of the HorizontalPodAutoscaler that KEDA creates: the formula for metrics of the type `AverageValue`, the
 * stabilization windows, the policies, and KEDA's fallback with the behavior `currentReplicasIfHigher`. Times are in seconds
 * and must not decrease.
 */
export class Autoscaler {
  private recommendations: { at: number; replicas: number }[] = []
  private changes: Change[] = []
  private failures = 0

  constructor(private readonly options: AutoscalerOptions) {}

  /** Returns the desired number of pods for the current metrics. */
  decide(now: number, current: number, metrics: readonly Metric[]): number {
    const recommended = this.recommend(current, metrics)
    if (recommended === undefined) return current
    const { minReplicas, maxReplicas } = this.options
    const limited = this.limit(now, current, this.stabilize(now, current, recommended))
    const decided = Math.min(maxReplicas, Math.max(minReplicas, limited))
    if (decided !== current) this.changes.push({ at: now, added: decided - current })
    return decided
  }

  /** The highest number that a metric asks for. Undefined if none can be read and it is too early for the fallback. */
  private recommend(current: number, metrics: readonly Metric[]): number | undefined {
    const values = metrics.map(({ value, target }) => (value === undefined ? undefined : ask(current, value, target)))
    const known = values.filter((value) => value !== undefined)
    this.failures = known.length === metrics.length ? 0 : this.failures + 1
    if (this.failures === 0) return Math.max(...known)
    const { failureThreshold, replicas } = this.options.fallback
    if (this.failures > failureThreshold) return Math.max(current, replicas, ...known)
    // With a metric missing, the number may grow but not shrink.
    return known.length > 0 ? Math.max(current, ...known) : undefined
  }

  /** Grows to the lowest recommendation of one window, and shrinks to the highest of the other. */
  private stabilize(now: number, current: number, recommended: number): number {
    const windows = [this.options.scaleUp, this.options.scaleDown].map((rules) => rules.stabilizationWindowSeconds)
    this.recommendations = this.recommendations.filter(({ at }) => at > now - Math.max(...windows))
    const [up = recommended, down = recommended] = windows.map((seconds, index) => {
      const recent = this.recommendations.filter(({ at }) => at > now - seconds).map(({ replicas }) => replicas)
      return (index === 0 ? Math.min : Math.max)(recommended, ...recent)
    })
    this.recommendations.push({ at: now, replicas: recommended })
    return Math.min(Math.max(current, up), down)
  }

  /** Applies the policy that allows the most, counting the changes of its period. */
  private limit(now: number, current: number, wanted: number): number {
    if (wanted === current) return current
    const rules = wanted > current ? this.options.scaleUp : this.options.scaleDown
    const limits = rules.policies.map(({ type, value, periodSeconds }) => {
      const start = current - this.changeSince(now - periodSeconds)
      if (wanted > current) return type === 'Pods' ? start + value : Math.ceil(start * (1 + value / 100))
      return type === 'Pods' ? start - value : Math.trunc(start * (1 - value / 100))
    })
    // The number may already have changed by more than the period allows.
    return wanted > current
      ? Math.max(current, Math.min(wanted, Math.max(...limits)))
      : Math.min(current, Math.max(wanted, Math.min(...limits)))
  }

  private changeSince(time: number): number {
    this.changes = this.changes.filter(({ at }) => at > time - MAX_PERIOD_SECONDS)
    return this.changes.filter(({ at }) => at > time).reduce((sum, { added }) => sum + added, 0)
  }
}

function ask(current: number, value: number, target: number): number {
  const ratio = value / (target * current)
  return Math.abs(1 - ratio) <= TOLERANCE ? current : Math.ceil(value / target)
}
