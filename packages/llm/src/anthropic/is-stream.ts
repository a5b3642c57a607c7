/** Content types of whole messages, including a missing one, which some gateways send. */
const MESSAGE_TYPE = /^(?:application\/json|text\/plain|text\/html)\b|^$/i

/** Returns whether a response is a stream. All calls request one, so any other content type is read as a stream. */
export const isStream = ({ headers }: Response): boolean => !MESSAGE_TYPE.test(headers.get('content-type') ?? '')
