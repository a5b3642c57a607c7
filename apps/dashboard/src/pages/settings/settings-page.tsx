import { useQuery } from '@tanstack/react-query'
import { accountQuery } from '../../api/account.ts'
import { BUTTON_LINK } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { PageHeader } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { DeleteAccount } from './delete-account.tsx'
import { PasswordForm } from './password-form.tsx'
import { ProfileForm } from './profile-form.tsx'
import { Section } from './section.tsx'
import { Sessions } from './sessions.tsx'
import { SpendingForm } from './spending-form.tsx'
import { TimeZoneForm } from './time-zone-form.tsx'

export function SettingsPage() {
  const account = useQuery(accountQuery)
  return (
    <>
      <PageHeader title="Settings" />
      <QueryView query={account}>
        {({ user, monthly_limit_usd, time_zone }) => (
          <div className="flex flex-col gap-6">
            <Section title="Profile" description={user.email}>
              <ProfileForm name={user.name} />
            </Section>
            <Section title="Time zone" description="Digests of your subscriptions are sent at 07:00 in this time zone.">
              <TimeZoneForm zone={time_zone} />
            </Section>
            <Section title="Spending limit" description="What the language model may cost in a calendar month (UTC).">
              <SpendingForm limit={monthly_limit_usd} />
            </Section>
            <Section title="Password" description="Changing it ends all other sessions.">
              <PasswordForm hasPassword={user.sign_in_ways.includes('password')} email={user.email} />
            </Section>
            <Section title="Sessions" description="The browsers in which you are signed in.">
              <Sessions />
            </Section>
            <Section
              title="Your data"
              description="Everything that the service stores about you, as a ZIP archive of JSON files."
            >
              <a href="/api/v1/account/export" download className={cx(BUTTON_LINK, 'self-start')}>
                Export data
              </a>
            </Section>
            <Section title="Delete account" description="Jobs, results, keys and webhooks are deleted permanently.">
              <DeleteAccount email={user.email} />
            </Section>
          </div>
        )}
      </QueryView>
    </>
  )
}
