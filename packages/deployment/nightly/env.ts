/** The Node.js image to build on. Without one, it is made of Debian packages and the Node.js binary from npm. */
export const givenNodeImage = (): string | undefined => process.env.NODE_IMAGE
/** A file with the registry and credentials for `npm ci` in the build. Without one, the defaults of npm apply. */
export const givenNpmrc = (): string | undefined => process.env.IMAGE_NPMRC
