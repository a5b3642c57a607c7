/** Of whole messages, also where a gateway does not say what it sends. */
const MESSAGE_TYPE = /^(?:application\/json|text\/plain|text\/html)\b|^$/i

/** Calls all ask for a stream: what does not look like a whole message is read as one. */
export const isStream = ({ headers }: Response): boolean => !MESSAGE_TYPE.test(headers.get('content-type') ?? '')
