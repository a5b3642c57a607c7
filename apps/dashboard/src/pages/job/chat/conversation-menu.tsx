import History from 'virtual:icons/rotate-ccw-clock'
import Trash from 'virtual:icons/trash'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type ChatAbout, conversationsQuery } from '../../../api/chat.ts'
import { formatRelative } from '../../../format.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { describeChatError } from './describe-chat-error.ts'

interface ConversationMenuProps {
  about: ChatAbout
  /** The conversation that is open; null for a new one. */
  current: string | null
  onOpen: (conversationId: string | null) => void
}

/** Lists the conversations, to continue or delete them. Shows nothing if there are none. */
export function ConversationMenu({ about, current, onOpen }: ConversationMenuProps) {
  const [isOpen, setOpen] = useState(false)
  const queries = useQueryClient()
  const conversations = useQuery(conversationsQuery(about))
  const remove = useMutation({
    mutationFn: (id: string) => about.delete(id),
    onSuccess: (_, id) => {
      if (id === current) onOpen(null)
      return queries.invalidateQueries({ queryKey: conversationsQuery(about).queryKey })
    },
  })
  const list = conversations.data ?? []
  if (list.length === 0 && !isOpen) return null
  return (
    <Dialog
      title="Conversations"
      description="Your questions. Deleting a conversation does not refund its cost."
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button variant="quiet">
          <History className="size-4" aria-hidden="true" />
          Conversations
        </Button>
      }
    >
      {list.length === 0 && <p className="text-sm text-muted">There are no conversations left.</p>}
      <ul className="flex flex-col divide-y divide-line">
        {list.map(({ conversation_id: id, title, message_count, updated_at }) => (
          <li key={id} className="flex items-center gap-2 py-1">
            <button
              type="button"
              onClick={() => {
                onOpen(id)
                setOpen(false)
              }}
              aria-current={id === current ? 'true' : undefined}
              className="min-w-0 grow rounded-lg px-2 py-2 text-start hover:bg-sunken"
            >
              <span className="block truncate text-sm font-medium">{title}</span>
              <span className="block text-xs text-muted">
                {message_count} messages · {formatRelative(updated_at)}
              </span>
            </button>
            <Button
              variant="quiet"
              className="!px-2"
              aria-label={`Delete conversation: ${title}`}
              busy={remove.isPending && remove.variables === id}
              onClick={() => remove.mutate(id)}
            >
              <Trash className="size-4" aria-hidden="true" />
            </Button>
          </li>
        ))}
      </ul>
      {remove.error && <Notice tone="danger">{describeChatError(remove.error)}</Notice>}
    </Dialog>
  )
}
