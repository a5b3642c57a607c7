import { FEATURE_PLANS } from '@subtext/sdk/vocabulary'
import { useQuery } from '@tanstack/react-query'
import { accountQuery } from '../../api/account.ts'
import { EmptyState, PageHeader } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Deliveries } from './deliveries.tsx'
import { SecretCard } from './secret-card.tsx'
import { TestEvent } from './test-event.tsx'

export function WebhooksPage() {
  const account = useQuery(accountQuery)
  const isIncluded = account.data?.features.includes('webhooks') ?? false
  return (
    <>
      <PageHeader
        title="Webhooks"
        description="The events sent to your servers, their responses, and the secret that signs the events."
        actions={isIncluded && <TestEvent />}
      />
      <QueryView query={account}>
        {() =>
          isIncluded ? (
            <div className="flex flex-col gap-8">
              <SecretCard />
              <Deliveries />
            </div>
          ) : (
            <EmptyState title={`Webhooks are part of the ${FEATURE_PLANS.webhooks} plan`}>
              They notify your servers when a job ends. Ask the operator of this installation to change your plan.
            </EmptyState>
          )
        }
      </QueryView>
    </>
  )
}
