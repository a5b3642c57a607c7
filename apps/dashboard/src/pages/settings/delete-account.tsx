import { deleteAccount } from '../../api/account.ts'
import { leaveAccount } from '../../api/session-sync.ts'
import { useConfirmedMutation } from '../../ui/confirm-identity.tsx'
import { DeletionDialog } from './deletion-dialog.tsx'

export function DeleteAccount({ email }: { email: string }) {
  const remove = useConfirmedMutation(deleteAccount, leaveAccount)
  return (
    <DeletionDialog
      title="Delete your account?"
      description={`This deletes everything in your account and cannot be undone. Type ${email} to confirm.`}
      email={email}
      remove={remove}
    />
  )
}
