import Plus from 'virtual:icons/plus'
import type { Template } from '@subtext/sdk'
import { BUILT_IN_TEMPLATES, FEATURE_PLANS } from '@subtext/sdk/vocabulary'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { accountQuery } from '../../api/account.ts'
import { templatesQuery } from '../../api/templates.ts'
import { formatRelative } from '../../format.ts'
import { BUTTON_LINK } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Message } from '../../ui/message.tsx'
import { EmptyState, PageHeader } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { BUILT_IN } from '../../vocabulary.ts'
import { outlineForm } from './describe-form.ts'

/** The templates of the account, and those that everyone has. */
export function TemplatesPage() {
  const account = useQuery(accountQuery)
  const isIncluded = account.data?.features.includes('templates') ?? false
  return (
    <>
      <PageHeader
        title="Templates"
        description="Forms that are filled from a transcript. Every value links to the lines that support it; without such lines, it is left out."
        actions={isIncluded && <NewTemplateLink />}
      />
      <div className="flex flex-col gap-8">
        <section aria-labelledby="own-templates" className="flex flex-col gap-3">
          <h2 id="own-templates" className="font-medium">
            Yours
          </h2>
          <QueryView query={account}>
            {() =>
              isIncluded ? (
                <OwnTemplates />
              ) : (
                <EmptyState title={`Templates of your own are part of the ${FEATURE_PLANS.templates} plan`}>
                  They give you exactly the fields that you need. Ask the operator of this installation to change your
                  plan.
                </EmptyState>
              )
            }
          </QueryView>
        </section>
        <section aria-labelledby="built-in-templates" className="flex flex-col gap-3">
          <h2 id="built-in-templates" className="font-medium">
            Built in
          </h2>
          <p className="-mt-2 text-sm text-muted">
            {`Choose them where you submit a video. Part of the ${FEATURE_PLANS.built_in_templates} plan and above.`}
          </p>
          <dl className="grid gap-3 sm:grid-cols-2">
            {BUILT_IN.map(([name, title]) => (
              <div key={name} className="rounded-2xl border border-line bg-surface px-4 py-3.5">
                <dt className="font-medium">
                  {title} <code className="ml-1 text-xs font-normal text-muted">{name}</code>
                </dt>
                <dd className="mt-1 text-sm text-muted">
                  <Message text={BUILT_IN_TEMPLATES[name]} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
    </>
  )
}

const NewTemplateLink = () => (
  <Link to="/new-template" className={cx(BUTTON_LINK, '!border-transparent !bg-accent !text-accent-ink')}>
    <Plus className="size-4" aria-hidden="true" />
    New template
  </Link>
)

function OwnTemplates() {
  const templates = useQuery(templatesQuery)
  return (
    <QueryView query={templates}>
      {({ templates: own }) =>
        own.length === 0 ? (
          <EmptyState title="No templates yet">
            Describe the fields that you need, such as decisions with their dates, and try them on one of your videos.
          </EmptyState>
        ) : (
          <ul className="divide-y divide-line overflow-hidden rounded-2xl border border-line bg-surface">
            {own.map((template) => (
              <TemplateRow key={template.name} template={template} />
            ))}
          </ul>
        )
      }
    </QueryView>
  )
}

function TemplateRow({ template }: { template: Template }) {
  const { name, version, description, schema, created_at } = template
  const fields = outlineForm(schema).map((entry) => entry.name)
  return (
    <li>
      <Link
        to="/templates/$name"
        params={{ name }}
        className="flex flex-col gap-1 px-4 py-3.5 hover:bg-sunken focus-visible:-outline-offset-2"
      >
        <span className="flex items-baseline justify-between gap-4">
          <span className="min-w-0 font-medium wrap-anywhere">{name}</span>
          <span className="shrink-0 text-xs text-muted">{`Version ${version}`}</span>
        </span>
        {description && <span className="text-sm wrap-anywhere text-muted">{description}</span>}
        <span className="flex justify-between gap-4 text-xs text-muted">
          <span className="min-w-0 truncate">{fields.join(' · ')}</span>
          {created_at && (
            <span className="shrink-0">
              changed <time dateTime={created_at}>{formatRelative(created_at)}</time>
            </span>
          )}
        </span>
      </Link>
    </li>
  )
}
