import type { Dashboard } from './build-dashboard.ts'
import { OVERVIEW, PLATFORM, WEBHOOKS, WORKERS } from './core-dashboards.ts'
import { FEATURES } from './features-dashboard.ts'
import { MODEL } from './model-dashboard.ts'
import { SOURCES } from './sources-dashboard.ts'

export const DASHBOARDS: Dashboard[] = [OVERVIEW, WORKERS, WEBHOOKS, PLATFORM, MODEL, SOURCES, FEATURES]
