import { notifyManager, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { isTransient } from './api/errors.ts'
import { watchSession } from './api/session-sync.ts'
import { router } from './router.tsx'
import './styles.css'

/** Free accounts have few requests an hour, so what has just been read is not read again. */
const FRESH_MS = 15_000
const MAX_RETRIES = 2

// Notifies at once and not in a later task: the second half of a double click must meet a disabled button.
notifyManager.setScheduler(queueMicrotask)

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, error) => failures < MAX_RETRIES && isTransient(error),
      refetchOnWindowFocus: false,
      staleTime: FRESH_MS,
    },
  },
})
watchSession(queries)

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)
