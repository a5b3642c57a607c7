export type { ListedSample } from './overview.ts'
export { DOCS_PATH } from './paths.ts'
export { buildSite, type Site, type SiteInput, type Welcome } from './site.ts'
export type { SiteFile } from './site-file.ts'
