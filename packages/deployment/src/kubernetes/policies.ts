import type { Policy } from '../finding.ts'
import type { Manifest } from './manifest.ts'
import { POD_POLICIES } from './pod-policies.ts'
import { REFERENCE_POLICIES } from './reference-policies.ts'
import { SCALING_POLICIES } from './scaling-policies.ts'
import { SCHEMA_POLICY } from './schemas.ts'
import { SETTING_POLICIES } from './setting-policies.ts'

/** Policies that every rendered set of manifests must meet. */
export const POLICIES: Policy<readonly Manifest[]>[] = [
  SCHEMA_POLICY,
  ...POD_POLICIES,
  ...SETTING_POLICIES,
  ...REFERENCE_POLICIES,
  ...SCALING_POLICIES,
]
