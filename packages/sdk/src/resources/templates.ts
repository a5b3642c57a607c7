import type { CreateTemplate, ReplaceTemplate, Template, TemplateList } from '../generated/types.ts'
import { encodeId } from '../http/encode-id.ts'
import type { RequestOptions, Transport } from '../http/transport.ts'

/** Forms of the account, which jobs fill from the transcript: see `options.templates` of a video. */
export class Templates {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Creates a template. */
  create(template: CreateTemplate, options: RequestOptions = {}): Promise<Template> {
    return this.#transport.json({ ...options, method: 'POST', path: '/templates', body: template, creates: true })
  }

  /** Returns the latest version of a template or, for `name@2`, that one. */
  get(name: string, options: RequestOptions = {}): Promise<Template> {
    return this.#transport.json({ ...options, method: 'GET', path: `/templates/${encodeId(name)}` })
  }

  /** Returns the templates of the account, and the built-in ones. */
  list(options: RequestOptions = {}): Promise<TemplateList> {
    return this.#transport.json({ ...options, method: 'GET', path: '/templates/' })
  }

  /** Makes the next version of a template. Not repeated after a failure, because that could make two. */
  replace(name: string, template: ReplaceTemplate, options: RequestOptions = {}): Promise<Template> {
    const path = `/templates/${encodeId(name)}`
    return this.#transport.json({ maxRetries: 0, ...options, method: 'PUT', path, body: template })
  }

  /** Deletes all versions of a template. */
  delete(name: string, options: RequestOptions = {}): Promise<void> {
    const path = `/templates/${encodeId(name)}`
    return this.#transport.none({ ...options, method: 'DELETE', path, dataIfGone: null })
  }
}
