export { startDeliverer } from '../deliverer.ts'
export { WebhooksEnv } from '../env.ts'
