import {
  BUILT_IN_NAMES,
  BUILT_IN_TEMPLATES,
  parseTemplateReference,
  type Template,
  type templates,
} from '@subtext/contracts'
import {
  assertTemplatesIncluded,
  createTemplate,
  deleteTemplate,
  getTemplate,
  listTemplates,
  replaceTemplate,
} from '@subtext/core/templates'
import type { Handlers } from '../http/mount.ts'
import { presentBuiltIn, presentTemplate } from '../presenters/template.ts'

/** Returns a built-in template by `name` or `name@1`. */
function findBuiltIn(reference: string): Template | null {
  const address = parseTemplateReference(reference)
  const name = BUILT_IN_NAMES.find((each) => each === address?.name)
  return name && (address?.version ?? 1) === 1 ? presentBuiltIn(name, BUILT_IN_TEMPLATES[name]) : null
}

export const templateHandlers: Handlers<typeof templates> = {
  create: async (ctx, { body }, { actor, resource }) => {
    const created = await createTemplate(ctx, actor, body, resource)
    return { headers: { Location: `/api/v1/templates/${created.name}` }, data: presentTemplate(created) }
  },
  list: async (ctx, _input, { actor }) => ({
    data: {
      templates: (await listTemplates(ctx, actor)).map(presentTemplate),
      built_in: BUILT_IN_NAMES.map((name) => presentBuiltIn(name, BUILT_IN_TEMPLATES[name])),
    },
  }),
  get: async (ctx, { params }, { actor }) => {
    assertTemplatesIncluded(actor)
    const builtIn = findBuiltIn(params.name)
    return { data: builtIn ?? presentTemplate(await getTemplate(ctx, actor, params.name)) }
  },
  replace: async (ctx, { params, body }, { actor }) => ({
    data: presentTemplate(await replaceTemplate(ctx, actor, params.name, body)),
  }),
  delete: async (ctx, { params }, { actor }) => {
    await deleteTemplate(ctx, actor, params.name)
    return { empty: true }
  },
}
