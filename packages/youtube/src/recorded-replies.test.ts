import { readRecordings } from '@subtext/captions/testing'
import { classifyHttp } from './refusals/classify-http.ts'
import { classifyPlayability, isKnownStatus } from './refusals/classify-playability.ts'
import { listPlatformTracks } from './video/caption-tracks.ts'
import { parsePlayerResponse } from './video/player-response.ts'
import { buildVideoInfo, selectPublishedAt } from './video/video-info.ts'

/** The code and cause of the refusal, or the number of tracks. */
const EXPECTED: Record<string, string> = {
  'android_age_restricted.json': 'AGE_RESTRICTED age',
  'android_age_restricted_2.json': 'AGE_RESTRICTED age',
  'android_bot_check.json': 'UPSTREAM_BLOCKED bot_check',
  // A status invented by the publisher of the recording, on the screen of the bot check.
  'android_custom_status.json': 'UPSTREAM_BLOCKED bot_check',
  'android_ok_6tracks.json': '9 tracks',
  'android_ok_en_nl.json': '2 tracks',
  'android_ok_en_track_has_exp_xpe.json': '9 tracks',
  'android_ok_full_unslimmed.json': '9 tracks',
  'android_ok_no_captions.json': 'TRANSCRIPT_UNAVAILABLE no_captions',
  'android_ok_no_captions2.json': 'TRANSCRIPT_UNAVAILABLE no_captions',
  'android_reel_geo_blocked.json': 'GEO_BLOCKED country',
  'android_reel_members_only.json': 'VIDEO_NOT_ACCESSIBLE members',
  'android_reel_music_premium.json': 'VIDEO_NOT_ACCESSIBLE payment',
  'android_reel_nonexistent_empty_object.json': 'UPSTREAM_UNAVAILABLE no_status',
  'android_reel_ok_en_asr.json': '1 tracks',
  'android_reel_ok_live_now.json': 'LIVE_NOT_ENDED live',
  'android_reel_ok_multilang.json': '19 tracks',
  'android_reel_ok_unlisted.json': '1 tracks',
  'android_reel_private.json': 'TRANSCRIPT_UNAVAILABLE private',
  'android_unavailable.json': 'VIDEO_UNAVAILABLE error',
  'heartbeat_upcoming_event.json': 'LIVE_NOT_ENDED upcoming',
  'mobile_live_2022.json': 'TRANSCRIPT_UNAVAILABLE not_yet_captioned',
  'visionos_ok_36tracks_enUS_enASR.json': '36 tracks',
  'visionos_ok_de_manual_only.json': '1 tracks',
  'visionos_ok_en_enGB_jaASR.json': '3 tracks',
  'visionos_ok_en_manual_and_asr.json': '2 tracks',
  'visionos_ok_fr_asr_only.json': '1 tracks',
  'visionos_ok_full_unslimmed.json': '2 tracks',
  'visionos_ok_live_now.json': 'LIVE_NOT_ENDED live',
  'visionos_ok_multilang_19tracks.json': '19 tracks',
  'visionos_ok_unlisted.json': '1 tracks',
  'visionos_unplayable_not_available_on_client.json': 'VIDEO_UNAVAILABLE unplayable',
  // Responses without a playability status.
  'visitor_id_android.json': 'UPSTREAM_UNAVAILABLE no_status',
  'visitor_id_visionos.json': 'UPSTREAM_UNAVAILABLE no_status',
  'visitor_id_web.json': 'UPSTREAM_UNAVAILABLE no_status',
  'web_metadata_only_fields.json': 'UPSTREAM_UNAVAILABLE no_status',
  'web_metadata_only_live.json': 'UPSTREAM_UNAVAILABLE no_status',
  'web_metadata_only_unlisted.json': 'UPSTREAM_UNAVAILABLE no_status',
  'web_live_future_2020.json': 'LIVE_NOT_ENDED upcoming',
  'web_live_past_2020.json': 'TRANSCRIPT_UNAVAILABLE no_captions',
  'web_nonexistent_2020.json': 'VIDEO_UNAVAILABLE error',
  'web_ok_2025_11.json': '1 tracks',
  'web_ok_2025_11_sabr_only.json': '1 tracks',
  'web_ok_mrbeast.json': '15 tracks',
  'web_ok_no_description.json': 'TRANSCRIPT_UNAVAILABLE no_captions',
  'web_private_2020.json': 'TRANSCRIPT_UNAVAILABLE private',
  'web_scheduled_live_offline.json': 'LIVE_NOT_ENDED upcoming',
  'web_agegate.json': 'AGE_RESTRICTED age',
  'web_censored_removed.json': 'VIDEO_UNAVAILABLE removed',
  'web_geoblock.json': 'GEO_BLOCKED country',
  'web_private.json': 'TRANSCRIPT_UNAVAILABLE private',
}

const recordings = [...readRecordings('player'), ...readRecordings('rustypipe')]
const whereRecorded = recordings.length > 0 ? describe : describe.skip

whereRecorded('recorded responses (need TEST_YOUTUBE_RECORDINGS)', () => {
  test('are all listed with their outcome', () => {
    expect(recordings.map(({ name }) => name).sort()).toEqual(Object.keys(EXPECTED).sort())
  })

  test.each(recordings.map(({ name, text }) => [name, text]))(
    'include %s, which is classified as listed',
    (name, text) => {
      const reply = JSON.parse(text)
      const response = parsePlayerResponse(reply.playerResponse ?? reply)
      const refusal = classifyPlayability(response)
      const tracks = listPlatformTracks(response)
      expect(refusal ? `${refusal.code} ${refusal.cause}` : `${tracks.length} tracks`).toBe(EXPECTED[name])
      expect(isKnownStatus(response)).toBe(name !== 'android_custom_status.json')
      if (name.startsWith('web_metadata_only')) expect(selectPublishedAt(response)).toMatch(/^20.+Z$/)
      if (!refusal) expect(buildVideoInfo(response, 'x', tracks).title).not.toBe('')
    },
  )

  const ERRORS: Record<string, [status: number, cause: string | null]> = {
    'consent_page.html': [200, 'html_page'],
    'consent_page_invalid.html': [200, 'html_page'],
    'get_transcript_failed_precondition.json': [400, 'http_400'],
    // Counts as captions that are withheld.
    'timedtext_empty_200.txt': [200, null],
    'too_many_requests_recaptcha.html': [429, 'http_429'],
  }
  test.each(readRecordings('errors').map(({ name, text }) => [name, text]))(
    'include the error %s, which is classified as listed',
    (name, text) => {
      const [status, cause] = ERRORS[name] ?? []
      const refusal = classifyHttp(status ?? 0, new Map(), text)
      expect(refusal?.cause ?? null).toBe(cause)
      if (refusal?.cause !== 'http_400' && refusal) expect(refusal.code).toBe('UPSTREAM_BLOCKED')
    },
  )
})
