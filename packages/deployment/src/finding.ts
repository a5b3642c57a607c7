/** A violation of a policy. */
export interface Finding {
  /** Name of the policy. */
  policy: string
  /** The object that violates it, such as `Deployment/api`. */
  where: string
  message: string
}

export type ReportFinding = (where: string, message: string) => void

/** A rule for documents, which reports violations. */
export interface Policy<Subject> {
  name: string
  check(subject: Subject, report: ReportFinding): void
}

/** Returns everything that violates one of the policies. */
export function findViolations<Subject>(subject: Subject, policies: readonly Policy<Subject>[]): Finding[] {
  const findings: Finding[] = []
  for (const { name: policy, check } of policies) {
    check(subject, (where, message) => findings.push({ policy, where, message }))
  }
  return findings
}
