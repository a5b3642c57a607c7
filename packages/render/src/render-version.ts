/** To be raised whenever the same result comes out different in any format: what readers have kept is then stale. */
export const RENDER_VERSION = 3
