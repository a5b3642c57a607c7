import {
  type IDataObject,
  type IHookFunctions,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
  NodeConnectionTypes,
  NodeOperationError,
} from 'n8n-workflow'
import { SUMMARY_MODES } from '../Subtext/describe'
import { isGenuine } from './signature'
import { createSubscription, deleteSubscription, subscriptionExists } from './subscription'

/** How many events are remembered, so that one that arrives again is not handled again. */
const MAX_REMEMBERED = 200

const subscribes = (context: IHookFunctions): boolean => context.getNodeParameter('mode') === 'subscription'

async function readSecret(context: IHookFunctions | IWebhookFunctions): Promise<string> {
  const { webhookSecret } = await context.getCredentials<{ webhookSecret?: string }>('subtextApi')
  return webhookSecret?.trim() ?? ''
}

export class SubtextTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Subtext Trigger',
    name: 'subtextTrigger',
    icon: { light: 'file:../../icons/subtext.svg', dark: 'file:../../icons/subtext.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{$parameter["mode"]}}',
    description: 'Starts the workflow when a video was published, a word was said in one, or a job has ended',
    defaults: { name: 'Subtext Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'subtextApi', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: [
      {
        displayName: 'Start On',
        name: 'mode',
        type: 'options',
        options: [
          {
            name: 'Videos of a Playlist or Channel',
            value: 'subscription',
            description: 'Subscribes while the workflow is active',
          },
          {
            name: 'Jobs and Batches That Name the URL of This Node',
            value: 'url',
            description: 'Copy the webhook URL above into the field Webhook URL of what you submit',
          },
        ],
        default: 'subscription',
      },
      {
        displayName: 'Source',
        name: 'source',
        type: 'string',
        required: true,
        default: '',
        placeholder: '@sbtx-lectures',
        displayOptions: { show: { mode: ['subscription'] } },
        description: 'Address or ID of a playlist or channel, handle of a channel, or address of a podcast feed',
      },
      {
        displayName: 'With New Videos',
        name: 'action',
        type: 'options',
        options: [
          { name: 'Process Them', value: 'process' },
          { name: 'Only Tell Me', value: 'notify' },
        ],
        default: 'process',
        displayOptions: { show: { mode: ['subscription'] } },
      },
      {
        displayName: 'Summaries',
        name: 'summaryModes',
        type: 'multiOptions',
        options: SUMMARY_MODES,
        default: ['tldr'],
        displayOptions: { show: { mode: ['subscription'], action: ['process'] } },
        description: 'None at all gives the transcript alone, which costs nothing',
      },
      {
        displayName: 'Filters',
        name: 'filters',
        type: 'collection',
        placeholder: 'Add Filter',
        default: {},
        displayOptions: { show: { mode: ['subscription'] } },
        options: [
          {
            displayName: 'Catch Up',
            name: 'catchUp',
            type: 'number',
            typeOptions: { minValue: 0, maxValue: 20 },
            default: 0,
            description: 'How many of the newest videos to begin with',
          },
          {
            displayName: 'Title Contains',
            name: 'titleContains',
            type: 'string',
            default: '',
            description: 'Words or phrases, separated by commas, one of which the title must contain',
          },
          {
            displayName: 'Words',
            name: 'words',
            type: 'string',
            default: '',
            description:
              'Words or phrases, separated by commas, that you want to hear of. Videos have to be processed for that.',
          },
        ],
      },
      {
        displayName: 'Events',
        name: 'events',
        type: 'string',
        default: '',
        placeholder: 'subscription.matched',
        description: 'Names of events, separated by commas, that start the workflow. Empty: all of them.',
      },
    ],
  }

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        return subscribes(this) ? subscriptionExists(this) : true
      },
      async create(this: IHookFunctions): Promise<boolean> {
        if (!(await readSecret(this))) {
          throw new NodeOperationError(this.getNode(), 'The credentials have no webhook secret', {
            description: 'POST /webhooks/secret/rotate, or the page Webhooks of the dashboard, shows a new one.',
          })
        }
        if (subscribes(this)) await createSubscription(this)
        return true
      },
      async delete(this: IHookFunctions): Promise<boolean> {
        await deleteSubscription(this)
        return true
      },
    },
  }

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const request = this.getRequestObject()
    const body = request.rawBody ?? Buffer.alloc(0)
    if (!isGenuine(body, request.headers, await readSecret(this))) {
      this.getResponseObject().status(401).json({ message: 'The signature does not match the webhook secret.' })
      return { noWebhookResponse: true }
    }
    const event = JSON.parse(body.toString('utf8')) as IDataObject
    const wanted = (this.getNodeParameter('events', '') as string).split(',').map((name) => name.trim())
    const isWanted = wanted.includes(String(event.event)) || wanted.join('') === ''
    const stored = this.getWorkflowStaticData('node')
    const seen = Array.isArray(stored.seen) ? (stored.seen as string[]) : []
    if (!isWanted || seen.includes(String(event.id))) return { webhookResponse: { ignored: true } }
    stored.seen = [...seen, String(event.id)].slice(-MAX_REMEMBERED)
    return { workflowData: [this.helpers.returnJsonArray([event])] }
  }
}
