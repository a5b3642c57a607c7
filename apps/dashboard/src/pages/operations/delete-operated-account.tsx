import type { OperatedAccountDetails } from '@subtext/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { deleteOperatedAccount } from '../../api/operations.ts'
import { useConfirmedMutation } from '../../ui/confirm-identity.tsx'
import { DeletionDialog } from '../settings/deletion-dialog.tsx'

/** Deletes the account of somebody else. */
export function DeleteOperatedAccount({ account: { id, email } }: { account: OperatedAccountDetails }) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const remove = useConfirmedMutation(
    (confirm: string) => deleteOperatedAccount(id, confirm),
    async () => {
      await navigate({ to: '/operations' })
      await queries.invalidateQueries({ queryKey: ['operations'] })
    },
  )
  return (
    <DeletionDialog
      title={`Delete the account of ${email}?`}
      description={`This deletes everything in it and cannot be undone. Type ${email} to confirm.`}
      email={email}
      remove={remove}
    />
  )
}
