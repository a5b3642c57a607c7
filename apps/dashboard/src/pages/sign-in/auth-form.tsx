import { useMutation, useQuery } from '@tanstack/react-query'
import type { FormEvent, ReactNode } from 'react'
import { signInOptionsQuery, signInWithProvider } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Notice } from '../../ui/notice.tsx'

interface AuthFormProps {
  title: string
  onSubmit: () => void
  children: ReactNode
  /** Shown below the form. */
  footer: ReactNode
}

/** The frame of the pages for signing up and in. */
export function AuthForm({ title, onSubmit, children, footer }: AuthFormProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <div className="mx-auto flex w-full max-w-md flex-col gap-6 rounded-2xl border border-line bg-surface p-6 shadow-xl shadow-black/5 sm:my-8 sm:p-8">
      <title>{`${title} · Subtext`}</title>
      <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
      <form onSubmit={submit} className="flex flex-col gap-4">
        {children}
      </form>
      <div className="text-sm text-muted">{footer}</div>
    </div>
  )
}

/** Says that the service can send no links. */
export function NoMail() {
  return (
    <Notice tone="warning">
      This service cannot send email. Its operator can create a sign-in link for you, with{' '}
      <code className="font-mono">admin sign-in-link</code>.
    </Notice>
  )
}

/** Buttons for the identity providers that this installation knows. */
export function ProviderButtons({ returnTo }: { returnTo: string }) {
  const { data: options } = useQuery(signInOptionsQuery)
  const go = useMutation({ mutationFn: (provider: string) => signInWithProvider(provider, returnTo) })
  if (!options || options.providers.length === 0) return null
  return (
    <>
      <div className="flex items-center gap-3 text-xs text-muted before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line">
        or
      </div>
      <ErrorNotice error={go.error} />
      {options.providers.map(({ id, name }) => (
        <Button key={id} busy={go.isPending} onClick={() => go.mutate(id)}>
          Continue with {name}
        </Button>
      ))}
    </>
  )
}
