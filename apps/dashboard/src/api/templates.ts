import { queryOptions } from '@tanstack/react-query'
import { subtext } from './client.ts'

/** How what is known of templates begins. */
export const TEMPLATES_KEY = ['templates']

/** The templates of the account, and the built-in ones. */
export const templatesQuery = queryOptions({
  queryKey: [...TEMPLATES_KEY, 'list'],
  queryFn: ({ signal }) => subtext.templates.list({ signal }),
})

/** A template by `name`, or one of its versions by `name@2`. */
export const templateQuery = (reference: string) =>
  queryOptions({
    queryKey: [...TEMPLATES_KEY, reference],
    queryFn: ({ signal }) => subtext.templates.get(reference, { signal }),
  })
