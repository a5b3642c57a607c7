import { buildPublishedOpenApi } from '../published-openapi.ts'
import { buildClasses, toClass } from './calls.ts'
import type { Document } from './document.ts'
import { createPythonTypes } from './types.ts'

const BANNER = '# Generated from the OpenAPI document by `npm run generate`. Do not edit.\n'

/** Returns the modules of the Python client that are generated: the types of its data, and one method for each operation. */
export function buildPublishedPython(): { types: string; calls: string } {
  const document = JSON.parse(buildPublishedOpenApi()) as Document
  const types = createPythonTypes(document)
  const classes = buildClasses(document, types)
  const events = Object.values(document.webhooks).map(
    ({ post }) => post.requestBody.content['application/json']?.schema,
  )
  const event = types.typeOf({ anyOf: events.filter((schema) => schema !== undefined) }, 'WebhookEvent')
  return {
    types: [
      BANNER,
      '"""The data of requests and responses."""\n',
      'from __future__ import annotations\n',
      'from typing import Any, Literal, NotRequired, TypeAlias, TypedDict\n',
      `WebhookEvent: TypeAlias = ${JSON.stringify(event)}`,
      '"""An event as it is delivered. `event` tells which one it is."""\n\n',
      `${types.declarations()}\n`,
    ].join('\n'),
    calls: [
      BANNER,
      '"""One method for each operation of the API."""\n',
      'from __future__ import annotations\n',
      'from collections.abc import Sequence',
      'from typing import TYPE_CHECKING, Any, Literal, overload\n',
      'from ._pages import Pages',
      'from ._resource import OMIT, FileContent, Resource, build_body, encode_id, new_key\n',
      'if TYPE_CHECKING:',
      '    from . import types as t',
      '    from ._transport import Transport\n\n',
      [...classes.values()].join('\n\n\n'),
      '\n\nclass Resources:',
      '    def __init__(self, transport: Transport) -> None:',
      [...classes.keys()].map((resource) => `        self.${resource} = ${toClass(resource)}(transport)`).join('\n'),
      '',
    ].join('\n'),
  }
}
