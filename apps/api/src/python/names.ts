import { toSnakeCase } from './document.ts'

/** Attributes of the client whose name is not the first part of their paths. */
const RESOURCES: [start: string, resource: string][] = [
  ['/videos/chat/', 'chat'],
  ['/videos/receipt/{job_id}/{conversation_id}', 'chat'],
  ['/batch/', 'batches'],
]
/** Words that a resource says already. */
const NOUNS: Record<string, string[]> = {
  videos: ['video', 'videos', 'job', 'jobs'],
  batches: ['batch', 'batches'],
  chat: ['question', 'conversation', 'conversations'],
}
/** Names that the rule below would not find, because they are those of the TypeScript client or reserved words of Python. */
const NAMES: Record<string, string> = {
  processVideo: 'process_sync',
  askForSource: 'ask',
  countMentions: 'mentions',
  importCaptions: 'import_captions',
}

/** Returns the attribute of the client that has the calls of a path. */
export function nameResource(path: string): string {
  const known = RESOURCES.find(([start]) => path.startsWith(start))
  return known?.[1] ?? path.split('/')[1] ?? ''
}

/** Returns the name of a call: `getJobStatus` of `videos` is `status`, `listSourceVideos` of `sources` is `videos`. */
export function nameCall(resource: string, operationId: string): string {
  const named = NAMES[operationId]
  if (named) return named
  const nouns = NOUNS[resource] ?? [resource, resource.replace(/ies$/, 'y').replace(/s$/, '')]
  const words = toSnakeCase(operationId).split('_')
  const own = words.filter((word) => !nouns.includes(word))
  const [verb = '', ...rest] = own
  const isRead = verb === 'get' || verb === 'list'
  return (isRead && rest.length > 0 ? rest : own).join('_')
}
