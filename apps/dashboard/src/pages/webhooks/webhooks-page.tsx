import { PageHeader } from '../../ui/page.tsx'
import { Deliveries } from './deliveries.tsx'
import { SecretCard } from './secret-card.tsx'
import { TestEvent } from './test-event.tsx'

export function WebhooksPage() {
  return (
    <>
      <PageHeader
        title="Webhooks"
        description="What we have sent to your servers, how they answered, and the secret that signs it."
        actions={<TestEvent />}
      />
      <div className="flex flex-col gap-8">
        <SecretCard />
        <Deliveries />
      </div>
    </>
  )
}
