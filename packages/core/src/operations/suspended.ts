import { ServiceError } from '@subtext/contracts'

const SUSPENDED = 'This account is suspended. Contact the operator of the service.'

/** Returns the refusal of a person or program whose account is suspended. Only they are told: others get the usual refusals. */
export const refuseSuspended = (): ServiceError => new ServiceError('UNAUTHORIZED', { message: SUSPENDED })
