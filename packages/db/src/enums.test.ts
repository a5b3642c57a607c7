import {
  BATCH_STATUSES,
  type BatchStatus,
  DELIVERY_STATUSES,
  type DeliveryStatus,
  JOB_STATUSES,
  type JobStatus,
  LANES,
  type Lane,
  PLAN_NAMES,
  type Plan,
} from '@subtext/contracts'
import * as declared from './generated/enums.ts'

type Declared<Value extends string> = { [Name in Value]: Name }

/** Does not compile if the Prisma schema lacks a value of the contract. */
const ENUMS = {
  Plan: declared.Plan satisfies Declared<Plan>,
  JobStatus: declared.JobStatus satisfies Declared<JobStatus>,
  BatchStatus: declared.BatchStatus satisfies Declared<BatchStatus>,
  DeliveryStatus: declared.DeliveryStatus satisfies Declared<DeliveryStatus>,
  Lane: declared.Lane satisfies Declared<Lane>,
}

test.each([
  ['Plan', PLAN_NAMES],
  ['JobStatus', JOB_STATUSES],
  ['BatchStatus', BATCH_STATUSES],
  ['DeliveryStatus', DELIVERY_STATUSES],
  ['Lane', LANES],
] as const)('the Prisma schema declares exactly the values of %s that the contract knows', (name, values) => {
  expect(Object.keys(ENUMS[name]).sort()).toEqual([...values].sort())
})
