import type {
  AccountKey,
  AccountKeyList,
  Account as AccountOverview,
  AccountSession,
  AccountSessionList,
  AccountUpdate,
  ConnectedApp,
  ConnectedAppList,
  CreatedKey,
  DeletedAccount,
  DisconnectedApp,
  EndedSession,
  KeyUpdate,
  NewKey,
} from '../generated/types.ts'
import { encodeId } from '../http/encode-id.ts'
import type { Call, RequestOptions, Transport } from '../http/transport.ts'

/**
 * The account of the person who is signed in: keys, sessions and connected applications. Only sessions may use it, so create the
 * client with `apiKey: null` in a page of the service; a key is refused with `SESSION_REQUIRED`.
 */
export class Account {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Returns the person, the plan with its features and quotas, and the session. */
  get(options: RequestOptions = {}): Promise<AccountOverview> {
    return this.#call('', { ...options, method: 'GET' })
  }

  /** Changes the name of the person. */
  update(changes: AccountUpdate, options: RequestOptions = {}): Promise<AccountOverview> {
    return this.#call('', { ...options, method: 'PATCH', body: changes })
  }

  /**
   * Deletes the account and everything that belongs to it. `email`: the address of the account, as a confirmation. Fails with
   * `REAUTHENTICATION_REQUIRED` if the last sign-in was more than ten minutes ago. Without other `options`, it is not retried: if
   * the answer is lost, the session is gone as well.
   */
  delete(email: string, options: RequestOptions = {}): Promise<DeletedAccount> {
    return this.#call('', { maxRetries: 0, ...options, method: 'DELETE', body: { confirm: email } })
  }

  /** Returns everything that the service holds about the account, as a ZIP archive of JSON files. */
  export(options: RequestOptions = {}): Promise<Response> {
    return this.#transport.open({ ...options, method: 'GET', path: '/account/export' })
  }

  /** Returns the API keys, those that are revoked or expired included. */
  async keys(options: RequestOptions = {}): Promise<AccountKey[]> {
    return (await this.#call<AccountKeyList>('/keys', { ...options, method: 'GET' })).keys
  }

  /**
   * Creates an API key, which is shown only in this response. Fails with `REAUTHENTICATION_REQUIRED` if the last sign-in was more
   * than ten minutes ago. If an answer is lost, the retry fails with `KEY_ALREADY_CREATED`, whose `details` say which key to revoke.
   */
  createKey(key: NewKey, options: RequestOptions = {}): Promise<CreatedKey> {
    return this.#call('/keys', { ...options, method: 'POST', body: key, creates: true })
  }

  /** Renames, disables or enables an API key. */
  updateKey(keyId: string, changes: KeyUpdate, options: RequestOptions = {}): Promise<AccountKey> {
    return this.#call(`/keys/${encodeId(keyId)}`, { ...options, method: 'PATCH', body: changes })
  }

  /** Revokes an API key for good. */
  revokeKey(keyId: string, options: RequestOptions = {}): Promise<AccountKey> {
    return this.#call(`/keys/${encodeId(keyId)}`, { ...options, method: 'DELETE' })
  }

  /** Returns the browsers in which the person is signed in. */
  async sessions(options: RequestOptions = {}): Promise<AccountSession[]> {
    return (await this.#call<AccountSessionList>('/sessions', { ...options, method: 'GET' })).sessions
  }

  /** Signs a browser out. */
  endSession(sessionId: string, options: RequestOptions = {}): Promise<EndedSession> {
    const dataIfGone: EndedSession = { ended: true }
    return this.#call(`/sessions/${encodeId(sessionId)}`, { ...options, method: 'DELETE', dataIfGone })
  }

  /** Returns the applications that may act for the person, such as MCP clients. */
  async apps(options: RequestOptions = {}): Promise<ConnectedApp[]> {
    return (await this.#call<ConnectedAppList>('/apps', { ...options, method: 'GET' })).apps
  }

  /** Disconnects an application. All of its tokens are refused at once. */
  disconnectApp(appId: string, options: RequestOptions = {}): Promise<DisconnectedApp> {
    const dataIfGone: DisconnectedApp = { disconnected: true }
    return this.#call(`/apps/${encodeId(appId)}`, { ...options, method: 'DELETE', dataIfGone })
  }

  #call<T>(path: string, call: Omit<Call, 'path'>): Promise<T> {
    return this.#transport.json({ ...call, path: `/account${path}` })
  }
}
