import type { IAuthenticateGeneric, ICredentialTestRequest, ICredentialType, Icon, INodeProperties } from 'n8n-workflow'

export class SubtextApi implements ICredentialType {
  name = 'subtextApi'

  displayName = 'Subtext API'

  icon: Icon = { light: 'file:../icons/subtext.svg', dark: 'file:../icons/subtext.dark.svg' }

  documentationUrl = 'https://www.npmjs.com/package/n8n-nodes-subtext'

  properties: INodeProperties[] = [
    {
      displayName: 'Base URL',
      name: 'baseUrl',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'https://subtext.example.org',
      description: 'Address of the service, with or without /api/v1',
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      placeholder: 'sk_...',
    },
    {
      displayName: 'Webhook Secret',
      name: 'webhookSecret',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      placeholder: 'whsec_...',
      description: 'Only for the trigger, which accepts nothing that is not signed with it',
    },
  ]

  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: { headers: { Authorization: '=Bearer {{$credentials.apiKey}}' } },
  }

  test: ICredentialTestRequest = {
    request: {
      baseURL: '={{$credentials.baseUrl.trim().replace(/\\/+$/, "").replace(/\\/api\\/v1$/, "")}}/api/v1',
      url: '/usage/current',
    },
  }
}
