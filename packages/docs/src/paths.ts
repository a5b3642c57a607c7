import { API_PREFIX } from '@subtext/contracts'

/** The entry to the documentation, with the reference. */
export const DOCS_PATH = `${API_PREFIX}/docs`
/** Where `docs_url` of an error leads. */
export const ERRORS_PATH = `${DOCS_PATH}/errors`
/** Where the `Link` header of a deprecated field leads. */
export const DEPRECATIONS_PATH = `${DOCS_PATH}/deprecations`
export const GUIDES_PATH = `${DOCS_PATH}/guides`
export const CHANGELOG_PATH = `${DOCS_PATH}/changelog`
export const ASSETS_PATH = `${DOCS_PATH}/assets`
export const OPENAPI_PATH = `${API_PREFIX}/openapi.json`
