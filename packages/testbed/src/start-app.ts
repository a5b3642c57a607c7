import { TEST_SECRET_KEY } from '@subtext/core/testing'
import { type AppName, type AppOutput, type AppProcess, spawnApp } from '@subtext/standalone'
import type { Undo } from './undo.ts'

/** Settings of a service whose servers, callers and receivers are all on this machine. */
export const LOCAL_SETTINGS = {
  HOST: '127.0.0.1',
  HTTPS_ONLY: 'false',
  SHUTDOWN_GRACE_SECONDS: '3',
  // The fake platform decides how all videos behave, those of the sample platform included.
  SAMPLE_VIDEOS: 'false',
  WEBHOOK_ALLOW_PRIVATE: 'true',
  WEBHOOK_SECRET_KEY: TEST_SECRET_KEY,
}

/** Only a process that hangs takes this long: on a busy machine, stopping may take many times the promised ten seconds. */
const STOP_TIMEOUT_MS = 240_000

/** Stops a process with SIGTERM, as an operator would. Throws when it had to be killed. */
export async function stopInTime(name: string, running: AppProcess): Promise<void> {
  const began = performance.now()
  await running.stop(STOP_TIMEOUT_MS)
  if (performance.now() - began < STOP_TIMEOUT_MS) return
  throw new Error(`${name} did not stop within ${STOP_TIMEOUT_MS / 1_000} s.`)
}

/** Starts a built app, which is stopped in the end. */
export function startApp(undo: Undo, app: AppName, settings: Record<string, string>, log?: AppOutput): AppProcess {
  const running = spawnApp(app, settings, log)
  undo.add(() => stopInTime(app, running))
  return running
}
