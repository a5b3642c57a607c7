/** Content types of whole messages, including none at all, which some gateways send. */
const MESSAGE_TYPE = /^(?:application\/json|text\/plain|text\/html)\b|^$/i

/** Tells whether a response is a stream. All calls ask for one, so that any other content type is read as a stream. */
export const isStream = ({ headers }: Response): boolean => !MESSAGE_TYPE.test(headers.get('content-type') ?? '')
