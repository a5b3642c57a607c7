import type { Subscription, VideoOptions } from '@subtext/sdk'
import { changeWebhookUrl, draftOf, EMPTY_DRAFT, toNewSubscription, toUpdate } from './draft.ts'

const SUBSCRIPTION: Subscription = {
  subscription_id: 's',
  source_id: 'o',
  source_url: 'https://www.youtube.com/channel/UC0000000000000000000000',
  action: 'process',
  options: {
    summary_modes: ['tldr', 'detailed'],
    templates: ['recipe'],
    generate_infographic: true,
    output_language: 'de',
    include_comments: true,
    max_transcript_length: 1_000,
  },
  priority: 'high',
  filter: {
    types: ['video', 'episode'],
    min_duration_seconds: 100,
    max_duration_seconds: 3_600,
    title_contains: ['talk, or not', 'lecture'],
    title_excludes: ['trailer'],
  },
  match: { any: ['ocean', 'open sea'] },
  catch_up: 3,
  max_per_day: 7,
  deliver: { webhook_url: 'https://example.com/hook', format: 'discord', email: 'daily' },
  status: 'active',
  created_at: '2026-11-01T00:00:00Z',
  updated_at: '2026-11-01T00:00:00Z',
}

const SHOWN: VideoOptions = { summary_modes: ['tldr'] }

describe('the form of a subscription', () => {
  test('changes nothing if it is saved as it was opened', () => {
    const { action, options, filter, match, max_per_day, deliver } = SUBSCRIPTION
    const shown = {
      summary_modes: options.summary_modes,
      templates: ['recipe'],
      generate_infographic: true,
      output_language: 'de',
    }
    expect(toUpdate(draftOf(SUBSCRIPTION), shown, options)).toEqual({
      action,
      options,
      filter,
      match,
      max_per_day,
      deliver,
    })
  })

  test('removes the rules whose fields were emptied, and keeps the options that it does not show', () => {
    expect(toUpdate(EMPTY_DRAFT, { summary_modes: [] }, SUBSCRIPTION.options)).toEqual({
      action: 'process',
      options: { summary_modes: [], include_comments: true, max_transcript_length: 1_000 },
      filter: null,
      match: null,
      max_per_day: null,
      deliver: null,
    })
  })

  test('asks for no words and no summaries where videos are only reported', () => {
    const draft = { ...EMPTY_DRAFT, action: 'notify', words: 'ocean' } as const
    expect(toNewSubscription(draft, SHOWN, { url: '@handle' })).toEqual({
      url: '@handle',
      action: 'notify',
      catch_up: 1,
    })
    expect(toUpdate(draft, SHOWN, SUBSCRIPTION.options).match).toBeNull()
  })

  test('takes one word or phrase per line, without blank lines and spaces around them', () => {
    const draft = { ...EMPTY_DRAFT, words: ' ocean \n\nopen sea\n', titleExcludes: '\n', maxMinutes: '1.5' }
    expect(toNewSubscription(draft, SHOWN, { source_id: 'o' })).toEqual({
      source_id: 'o',
      action: 'process',
      options: SHOWN,
      catch_up: 1,
      match: { any: ['ocean', 'open sea'] },
      filter: { max_duration_seconds: 90 },
    })
  })

  test.each([
    ['https://hooks.slack.com/services/T0/B0/x', 'slack'],
    ['https://discord.com/api/webhooks/1/x', 'discord'],
    ['https://example.com/hook', 'event'],
    ['https://', 'event'],
  ])('chooses the messages that %s takes', (url, format) => {
    expect(changeWebhookUrl(url, 'event')).toEqual({ webhookUrl: url, format })
  })
})
