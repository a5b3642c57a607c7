import type { Feed, NewFeed } from '@subtext/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useId, useState } from 'react'
import { subtext } from '../../api/client.ts'
import { useIdempotencyKey } from '../../api/repeatable.ts'
import { feedsQuery, subscriptionsQuery } from '../../api/subscriptions.ts'
import { formatDay, formatUrl } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { useConfirmedMutation } from '../../ui/confirm-identity.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Field } from '../../ui/field.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { SecretValue } from '../../ui/secret-value.tsx'

/** What a feed is about. */
export type FeedSubject = Pick<NewFeed, 'subscription_id' | 'source_id' | 'all'>

interface FeedListProps {
  /** Shows only the feeds about this. By default, all of them. */
  subject?: FeedSubject
}

/** The feeds of the account, which can be ended. */
export function FeedList({ subject }: FeedListProps) {
  const feeds = useQuery(feedsQuery)
  const isShown = (feed: Feed) =>
    !subject || (feed.subscription_id === subject.subscription_id && feed.source_id === subject.source_id)
  return (
    <QueryView query={feeds}>
      {(all) => {
        const list = all.filter(isShown)
        return list.length === 0 ? (
          <p className="rounded-2xl border border-dashed border-line p-6 text-center text-sm text-muted">
            No feeds yet. A feed brings summaries, moments and links into your feed reader.
          </p>
        ) : (
          <ul className="divide-y divide-line overflow-hidden rounded-2xl border border-line bg-surface">
            {list.map((feed) => (
              <FeedRow key={feed.feed_id} feed={feed} isSubjectShown={!subject} />
            ))}
          </ul>
        )
      }}
    </QueryView>
  )
}

function FeedRow({ feed, isSubjectShown }: { feed: Feed; isSubjectShown: boolean }) {
  const { feed_id, name, created_at } = feed
  const id = useId()
  const queries = useQueryClient()
  const end = useMutation({
    mutationFn: () => subtext.feeds.delete(feed_id),
    onSuccess: () => queries.invalidateQueries(feedsQuery),
  })
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-48">
        <p id={id} className="font-medium wrap-anywhere">
          {name ?? (isSubjectShown ? <Subject feed={feed} /> : 'Feed without a name')}
        </p>
        <p className="mt-0.5 text-xs wrap-anywhere text-muted">
          {name !== undefined && isSubjectShown && (
            <>
              <Subject feed={feed} />
              {' · '}
            </>
          )}
          created {formatDay(created_at)}
        </p>
      </div>
      <ErrorNotice error={end.error} />
      <ConfirmButton
        label="End"
        describedBy={id}
        title="End this feed?"
        description="Its addresses stop working at once, in every feed reader."
        busy={end.isPending}
        onConfirm={() => end.mutate()}
      />
    </li>
  )
}

const LINK = 'underline-offset-4 hover:underline'

/** Names what a feed is about, with a link to it. */
function Subject({ feed: { subscription_id, source_id } }: { feed: Feed }) {
  const { data: subscriptions = [] } = useQuery(subscriptionsQuery)
  const known = subscriptions.find((one) => one.subscription_id === subscription_id || one.source_id === source_id)
  const title = known && (known.source_title ?? formatUrl(known.source_url))
  if (subscription_id !== undefined) {
    return (
      <Link to="/subscriptions/$subscriptionId" params={{ subscriptionId: subscription_id }} className={LINK}>
        {title === undefined ? 'A subscription' : `New videos of ${title}`}
      </Link>
    )
  }
  if (source_id === undefined) return 'All your videos'
  return (
    <Link to="/sources/$sourceId" params={{ sourceId: source_id }} className={LINK}>
      {title === undefined ? 'A source' : `Your videos of ${title}`}
    </Link>
  )
}

/** A button that creates a feed, and shows its addresses once. */
export function CreateFeed({ subject }: { subject: FeedSubject }) {
  const [isOpen, setOpen] = useState(false)
  const queries = useQueryClient()
  const request = useIdempotencyKey()
  const create = useConfirmedMutation(
    (feed: NewFeed) => subtext.feeds.create(feed, { idempotencyKey: request.keyFor(feed) }),
    () => {
      request.done()
      return queries.invalidateQueries(feedsQuery)
    },
  )
  const change = (open: boolean) => {
    setOpen(open)
    if (!open) create.reset()
  }
  return (
    <Dialog
      title={create.data ? 'Your new feed' : 'Create a feed'}
      description={
        create.data
          ? "Add one of these addresses to your feed reader now. You won't see them again. Whoever knows one can read the feed."
          : 'An address for feed readers that needs no key. You can end it at any time.'
      }
      trigger={<Button>Create feed</Button>}
      open={isOpen}
      onOpenChange={change}
    >
      {create.data ? (
        <>
          <SecretValue label="Atom" value={create.data.url_atom} />
          <SecretValue label="JSON Feed" value={create.data.url_json} />
          <Button onClick={() => change(false)}>Done</Button>
        </>
      ) : (
        <FeedForm
          busy={create.isPending}
          error={create.error}
          onSubmit={(name) => create.mutate({ ...subject, ...(name !== '' && { name }) })}
        />
      )}
      {create.confirm}
    </Dialog>
  )
}

interface FeedFormProps {
  busy: boolean
  error: Error | null
  /** Is called with an empty name if none was given. */
  onSubmit: (name: string) => void
}

function FeedForm({ busy, error, onSubmit }: FeedFormProps) {
  const [name, setName] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit(name.trim())
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Field
        label="Name"
        isOptional
        maxLength={200}
        placeholder="Shown in your feed reader"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <ErrorNotice error={error} />
      <Button type="submit" variant="primary" busy={busy}>
        Create feed
      </Button>
    </form>
  )
}
