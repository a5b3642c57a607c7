import type { ServedDemand } from './demand.ts'

export interface FleetOptions {
  /** Jobs that a pod runs at once (`WORKER_CONCURRENCY`). */
  slots: number
  /** `SHUTDOWN_GRACE_SECONDS`. */
  graceSeconds: number
}

export interface SimulatedJob {
  arrivedAt: number
  /** Seconds of work that are left. */
  seconds: number
  tries: number
  wasStarted: boolean
}

interface Pod {
  readyAt: number
  /** When the rest of its jobs is handed back. Undefined while it takes jobs. */
  stopsAt?: number
  jobs: Set<Run>
}

/** An attempt at a job. */
interface Run {
  job: SimulatedJob
  pod: Pod
  startedAt: number
  endsAt: number
  blocked: boolean
}

/** Scheduling, start and readiness of a pod, on a node that is there and on a new one. */
const POD_START_SECONDS = 20
const NODE_START_SECONDS = 90
const SPARE_NODES_SECONDS = 600
/** Duration of an attempt that the platform turns away, in seconds. */
const BLOCKED_SECONDS = 8
/** `JOB_RETRY_SCHEDULE`. */
const RETRY_SECONDS = [2, 10, 30]

/** The pods of a deployment of workers, and the jobs of a lane, in steps of a second. */
export class PodFleet {
  private pods: Pod[] = []
  private readonly waiting: SimulatedJob[] = []
  private readonly endings = new Map<number, Run[]>()
  private readonly pauses = new Map<number, SimulatedJob[]>()
  private nodes = { pods: 0, neededAt: 0 }
  readonly waits: number[] = []
  readonly counts = { podSeconds: 0, busySlotSeconds: 0, handedBack: 0, failed: 0, peak: 0 }

  constructor(
    private readonly options: FleetOptions,
    pods: number,
  ) {
    this.nodes.pods = pods
    this.setSize(-POD_START_SECONDS, pods)
  }

  /** Pods that are not stopping. */
  get size(): number {
    return this.pods.filter(({ stopsAt }) => stopsAt === undefined).length
  }

  /** Starts pods, or stops the newest ones. */
  setSize(now: number, wanted: number): void {
    for (let missing = wanted - this.size; missing > 0; missing--) {
      const start = this.pods.length < this.nodes.pods ? POD_START_SECONDS : NODE_START_SECONDS
      this.pods.push({ readyAt: now + start, jobs: new Set() })
    }
    for (const pod of this.pods.filter(({ stopsAt }) => stopsAt === undefined).slice(wanted)) {
      pod.stopsAt = now + this.options.graceSeconds
    }
    this.counts.peak = Math.max(this.counts.peak, this.pods.length)
  }

  submit(job: SimulatedJob): void {
    this.waiting.push(job)
  }

  step(now: number, isPlatformOut: boolean): void {
    for (const job of take(this.pauses, now)) this.waiting.push(job)
    for (const run of take(this.endings, now)) if (run.pod.jobs.delete(run)) this.end(run, now)
    this.stopPods(now)
    this.startJobs(now, isPlatformOut)
    this.counts.podSeconds += this.pods.length
    for (const { jobs } of this.pods) this.counts.busySlotSeconds += jobs.size
    if (this.pods.length >= this.nodes.pods) this.nodes = { pods: this.pods.length, neededAt: now }
    else if (now - this.nodes.neededAt > SPARE_NODES_SECONDS) this.nodes.pods = this.pods.length
  }

  demand(now: number): ServedDemand {
    const oldest = this.waiting.find(({ wasStarted }) => !wasStarted)
    return {
      waiting: this.waiting.length,
      running: this.pods.reduce((sum, { jobs }) => sum + jobs.size, 0),
      oldestWaitingSeconds: oldest ? now - oldest.arrivedAt : 0,
    }
  }

  private end({ job, blocked }: Run, now: number): void {
    if (!blocked) return
    const pause = RETRY_SECONDS[job.tries - 1]
    if (pause === undefined) this.counts.failed++
    else put(this.pauses, now + pause, job)
  }

  /**
   * Removes pods that have stopped. The rest of their jobs is done by other pods, which have to repeat half of the interrupted
   * work.
   */
  private stopPods(now: number): void {
    for (const { stopsAt, jobs } of this.pods) {
      if (stopsAt === undefined || stopsAt > now) continue
      for (const { job, startedAt, endsAt } of jobs) {
        job.seconds = endsAt - now + Math.floor((now - startedAt) / 2)
        this.waiting.unshift(job)
        this.counts.handedBack++
      }
      jobs.clear()
    }
    this.pods = this.pods.filter(({ stopsAt, jobs }) => stopsAt === undefined || jobs.size > 0)
  }

  private startJobs(now: number, blocked: boolean): void {
    for (const pod of this.pods) {
      if (pod.readyAt > now || pod.stopsAt !== undefined) continue
      while (pod.jobs.size < this.options.slots) {
        const job = this.waiting.shift()
        if (!job) return
        if (!job.wasStarted) this.waits.push(now - job.arrivedAt)
        job.wasStarted = true
        job.tries++
        const endsAt = now + (blocked ? BLOCKED_SECONDS : job.seconds)
        const run: Run = { job, pod, startedAt: now, endsAt, blocked }
        pod.jobs.add(run)
        put(this.endings, endsAt, run)
      }
    }
  }
}

function put<T>(calendar: Map<number, T[]>, at: number, item: T): void {
  const items = calendar.get(at)
  if (items) items.push(item)
  else calendar.set(at, [item])
}

function take<T>(calendar: Map<number, T[]>, at: number): T[] {
  const items = calendar.get(at) ?? []
  calendar.delete(at)
  return items
}
