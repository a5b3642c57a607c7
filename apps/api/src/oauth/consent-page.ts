import { escapeMarkup, renderPlainPage } from '@subtext/render'
import type { Response } from 'express'
import { sendPlainPage } from '../http/plain-page.ts'

const RIGHTS: Record<string, string> = {
  read: 'see your videos, summaries, usage and webhooks',
  write: 'submit videos, which count against your quotas, and ask questions about them',
}

export interface ConsentRequest {
  /** The name that the application has given itself. */
  name: string
  /** The URL of its metadata document; null if it has registered itself. */
  documentUrl: string | null
  /** The address to which people are sent back. */
  place: string
  scopes: readonly string[]
  email: string
  /** Where the form is sent. */
  action: string
  /** Set if the person has signed in too long ago and has to show again who they are. */
  confirmation?: IdentityQuestion | undefined
}

export interface IdentityQuestion {
  hasPassword: boolean
  /** Where to sign in again, and to come back from. */
  signIn: string
  /** What was wrong with the last attempt. */
  problem?: string | undefined
}

function renderConfirmation({ hasPassword, signIn, problem }: IdentityQuestion): string {
  const link = `<a href="${escapeMarkup(signIn)}">sign in again</a>`
  const shown = problem === undefined ? '' : `<p role="alert">${escapeMarkup(problem)}</p>`
  if (!hasPassword) return `${shown}<p>You last signed in more than ten minutes ago. To connect it, ${link}.</p>`
  return `${shown}<p>You last signed in more than ten minutes ago. Enter your password, or ${link}.</p>
<p><label>Your password <input type="password" name="password" autocomplete="current-password" maxlength="128" autofocus></label></p>`
}

/** Renders the page on which a person allows an application to act for them. */
export const renderConsent = ({
  name,
  documentUrl,
  place,
  scopes,
  email,
  action,
  confirmation,
}: ConsentRequest): string =>
  renderPlainPage(
    'Connect an application',
    `<h1>Connect “${escapeMarkup(name)}” to Subtext?</h1>
<p>${documentUrl === null ? 'The application chose this name; it has not been verified.' : `It is described at ${escapeMarkup(documentUrl)}.`}
You will be sent to <strong>${escapeMarkup(place)}</strong>.</p>
<p>It will be able, as <strong>${escapeMarkup(email)}</strong>, to</p>
<ul>${scopes.map((scope) => `<li>${escapeMarkup(RIGHTS[scope] ?? scope)}</li>`).join('')}</ul>
<form method="post" action="${escapeMarkup(action)}">${confirmation ? renderConfirmation(confirmation) : ''}${confirmation?.hasPassword === false ? '' : '<button class="primary" name="decision" value="allow">Connect</button>'}<button name="decision" value="deny">Cancel</button></form>
<p class="note">You can disconnect it at any time, under Apps. If you did not start this, cancel.</p>`,
  )

/** Renders the page for a request that cannot be answered by sending the person back to the application. */
export const renderRefusal = (message: string): string =>
  renderPlainPage(
    'Not connected',
    `<h1>The application could not be connected</h1>
<p>${escapeMarkup(message)}</p>
<p class="note"><a href="/">Go to the start page</a></p>`,
  )

/** Sends a page of this module, which is never stored. `formTargets`: where its form may lead besides this service. */
export function sendConsentPage(response: Response, status: number, html: string, formTargets: string[] = []): void {
  response.status(status).setHeader('Cache-Control', 'no-store')
  sendPlainPage(response, html, formTargets)
}
