export { startDeliverer } from '../deliverer.ts'
export { WebhooksEnv } from '../env.ts'
export { letHeapGrow } from '../heap-growth.ts'
