import { claimDigest } from '@subtext/core/digests'
import { v4 as randomId } from 'uuid'
import { startLane } from '../lanes/start-lane.ts'
import { type DigestLaneContext, workOnDigest } from './work-on-digest.ts'

/** Most of the time, a digest waits for its model. */
const SLOTS = 2

/** Makes digests that are due, until it is stopped, in slots of their own. */
export const startDigestLane = (ctx: DigestLaneContext): (() => Promise<void>) =>
  startLane(ctx, {
    name: 'digest',
    slots: SLOTS,
    claim: () => claimDigest(ctx.db, { token: randomId(), leaseSeconds: ctx.leaseSeconds }),
    work: (claimed, stopping) => workOnDigest(ctx, claimed, stopping),
  })
