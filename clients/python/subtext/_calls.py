# Generated from the OpenAPI document by `npm run generate`. Do not edit.

"""One method for each operation of the API."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, overload

from ._pages import Pages
from ._resource import OMIT, FileContent, Resource, build_body, encode_id, new_key

if TYPE_CHECKING:
    from . import types as t
    from ._transport import Transport


class Videos(Resource):
    def submit(self, url: str | t.SubmitVideo | t.SubmitSourceVideo | None = None, *, options: t.VideoOptions | None = None, webhook_url: str | None = None, priority: t.Priority | None = None, custom_instructions: str | None = None, use_proxy: bool | None = OMIT, force_refresh: bool | None = None, service_name: str | None = None, agent_name: str | None = None, client_reference: str | None = None, source: t.VideoOfSource | None = None, idempotency_key: str | None = None) -> t.SubmittedJob:
        """Submit a video.

        Accepts a job and responds at once. Follow it with `GET /videos/status/{job_id}?wait=30`, with `GET /videos/events/{job_id}`, or with a `webhook_url`; then fetch `GET /videos/result/{job_id}`.

        A video counts toward the quota when its job is accepted, and is returned when the job fails, or is cancelled before it cost anything. A request that uses features the plan does not include is refused, and all of them are listed. Stored captions and summaries are reused unless `force_refresh` is set.

        Args:
            url: URL of a public video, in any of the forms that the platform uses, or its ID of 11 characters.
            webhook_url: Public http(s) URL that receives an event when the job ends. Requires the Pro plan.
            priority: Jobs of priority `high` start first. `high` requires the Pro plan.
            custom_instructions: What the summaries should focus on. Only the mode decides their structure. Requires the Pro plan.
            use_proxy: `true`: use proxies only. `false`: never use them. `null` or absent: use them when direct requests are blocked.
            force_refresh: Fetches the captions again and rewrites the summaries, instead of reusing stored ones.
            source: A video of a source, in place of `url`.
        """
        return self._transport.json("POST", "/videos/process", body=build_body({"url": url, "options": options, "webhook_url": webhook_url, "priority": priority, "custom_instructions": custom_instructions, "use_proxy": use_proxy, "force_refresh": force_refresh, "service_name": service_name, "agent_name": agent_name, "client_reference": client_reference, "source": source}, nullable=["use_proxy"]), idempotency_key=idempotency_key or new_key())

    def status(self, job_id: str, *, wait: int | None = None) -> t.Job:
        """Status of a job.

        Returns the current state of the job. With `wait`, the response is sent as soon as the job has ended, or after that many seconds: repeat the request until `status` is `completed` or `failed`. Without `wait`, wait for `Retry-After` seconds between requests.

        Args:
            job_id: ID of the job. An ID that is unknown, malformed or of another account is `NOT_FOUND`.
            wait: Maximum number of seconds to wait for the job to end.
        """
        return self._transport.json("GET", f"/videos/status/{encode_id(job_id)}", query={"wait": wait}, job_id=job_id)

    @overload
    def result(self, job_id: str, *, format: Literal["json"]) -> t.StructuredResult: ...
    @overload
    def result(self, job_id: str, *, format: None | None = None) -> t.DefaultResult: ...
    def result(self, job_id: str, *, format: Literal["json"] | None = None) -> t.DefaultResult | t.StructuredResult:
        """Result of a job.

        Returns the result in the format named by `format`, else in the one that `Accept` selects, else as the envelope with Markdown texts. A result never changes: send its `ETag` as `If-None-Match`, and the response is 304 while your copy is current.

        Args:
            job_id: ID of the job. An ID that is unknown, malformed or of another account is `NOT_FOUND`.
            format: Takes precedence over `Accept`. - `json`: the envelope, structured: `transcript.segments[]` with times, summaries with `citations[]` - `markdown`: a Markdown document: title, contents, summaries with a link to the video after each claim, transcript - `text`: the same document as plain text, without links - `html`: the same document as a web page without scripts, in which every claim also leads to its line of the transcript - `csv`: the transcript as a table: `start,end,text` in seconds, one row per caption - `srt`: the transcript as SubRip subtitles - `vtt`: the transcript as WebVTT subtitles - `obsidian`: a Markdown note with properties (YAML front matter), in which every claim also leads to its paragraph of the transcript by a block ID - `chunks`: the transcript in passages of about 120 words for a search index, one per line of JSON: `id`, `text`, `start` and `end` in seconds, `url` of the moment, `title`, `chapter`, `speaker` and `language` - `anki`: the flash cards of the template `flashcards` as CSV, `question,answer,link`, for import into Anki; `400` if there are none
        """
        return self._transport.json("GET", f"/videos/result/{encode_id(job_id)}", query={"format": format}, job_id=job_id)

    def document(self, job_id: str, format: t.RequestedFormat) -> str:
        """Result of a job.

        Returns the result in the format named by `format`, else in the one that `Accept` selects, else as the envelope with Markdown texts. A result never changes: send its `ETag` as `If-None-Match`, and the response is 304 while your copy is current.

        Args:
            job_id: ID of the job. An ID that is unknown, malformed or of another account is `NOT_FOUND`.
            format: Takes precedence over `Accept`. - `json`: the envelope, structured: `transcript.segments[]` with times, summaries with `citations[]` - `markdown`: a Markdown document: title, contents, summaries with a link to the video after each claim, transcript - `text`: the same document as plain text, without links - `html`: the same document as a web page without scripts, in which every claim also leads to its line of the transcript - `csv`: the transcript as a table: `start,end,text` in seconds, one row per caption - `srt`: the transcript as SubRip subtitles - `vtt`: the transcript as WebVTT subtitles - `obsidian`: a Markdown note with properties (YAML front matter), in which every claim also leads to its paragraph of the transcript by a block ID - `chunks`: the transcript in passages of about 120 words for a search index, one per line of JSON: `id`, `text`, `start` and `end` in seconds, `url` of the moment, `title`, `chapter`, `speaker` and `language` - `anki`: the flash cards of the template `flashcards` as CSV, `question,answer,link`, for import into Anki; `400` if there are none
        """
        return self._transport.text("GET", f"/videos/result/{encode_id(job_id)}", query={"format": format}, job_id=job_id)

    def import_captions(self, captions: str, title: str, *, format: t.CaptionFormat | None = None, language: str | None = None, media_url: str | None = None, channel_name: str | None = None, published_at: str | None = None, speakers: Sequence[str] | None = None, options: t.VideoOptions | None = None, webhook_url: str | None = None, priority: t.Priority | None = None, custom_instructions: str | None = None, service_name: str | None = None, agent_name: str | None = None, client_reference: str | None = None, idempotency_key: str | None = None) -> t.SubmittedJob:
        """Import captions.

        Accepts a job for captions of your own: of a recording that is not on the platform, a meeting or a podcast. It works like that of a video and counts as one. Captions that cannot be read are refused with `CAPTIONS_UNREADABLE`; nothing is accepted or counted then.

        As `multipart/form-data`, the captions are the part `file`, in any common encoding; the other fields are parts with the same names, `options` and `speakers` as JSON, and `title` defaults to the name of the file.

        The same captions with the same title are the same video of your account. Other accounts cannot find out that it exists.

        Args:
            captions: The captions: SubRip, WebVTT, SBV, TTML, JSON of a speech service, or text with times. At most 10,000,000 bytes and 100,000 cues.
            title: What the recording is called.
            format: Default: recognized from the content.
            language: Language of the captions (BCP-47). Default: what the captions say, or else what is detected.
            media_url: Where the recording can be watched or heard. Citations link to moments of it (`#t=12`); without it, to the page of the job. It is never fetched.
            channel_name: Who published the recording.
            published_at: When the recording was published: a date or a date-time (ISO 8601).
            speakers: Names that are speakers where a cue begins with one of them and a colon.
            webhook_url: Public http(s) URL that receives an event when the job ends. Requires the Pro plan.
            priority: Jobs of priority `high` start first. `high` requires the Pro plan.
            custom_instructions: What the summaries should focus on. Only the mode decides their structure. Requires the Pro plan.
        """
        return self._transport.json("POST", "/videos/import", body=build_body({"captions": captions, "title": title, "format": format, "language": language, "media_url": media_url, "channel_name": channel_name, "published_at": published_at, "speakers": speakers, "options": options, "webhook_url": webhook_url, "priority": priority, "custom_instructions": custom_instructions, "service_name": service_name, "agent_name": agent_name, "client_reference": client_reference}), idempotency_key=idempotency_key or new_key())

    def import_file(self, file: FileContent, *, title: str | None = None, format: t.CaptionFormat | None = None, language: str | None = None, media_url: str | None = None, channel_name: str | None = None, published_at: str | None = None, speakers: Sequence[str] | None = None, options: t.VideoOptions | None = None, webhook_url: str | None = None, priority: t.Priority | None = None, custom_instructions: str | None = None, service_name: str | None = None, agent_name: str | None = None, client_reference: str | None = None, idempotency_key: str | None = None) -> t.SubmittedJob:
        """Import captions.

        Accepts a job for captions of your own: of a recording that is not on the platform, a meeting or a podcast. It works like that of a video and counts as one. Captions that cannot be read are refused with `CAPTIONS_UNREADABLE`; nothing is accepted or counted then.

        As `multipart/form-data`, the captions are the part `file`, in any common encoding; the other fields are parts with the same names, `options` and `speakers` as JSON, and `title` defaults to the name of the file.

        The same captions with the same title are the same video of your account. Other accounts cannot find out that it exists.

        Args:
            file: The file, opened for reading in binary mode, its bytes, or its name and bytes.
            title: What the recording is called.
            format: Default: recognized from the content.
            language: Language of the captions (BCP-47). Default: what the captions say, or else what is detected.
            media_url: Where the recording can be watched or heard. Citations link to moments of it (`#t=12`); without it, to the page of the job. It is never fetched.
            channel_name: Who published the recording.
            published_at: When the recording was published: a date or a date-time (ISO 8601).
            speakers: Names that are speakers where a cue begins with one of them and a colon.
            webhook_url: Public http(s) URL that receives an event when the job ends. Requires the Pro plan.
            priority: Jobs of priority `high` start first. `high` requires the Pro plan.
            custom_instructions: What the summaries should focus on. Only the mode decides their structure. Requires the Pro plan.
        """
        return self._transport.form(file, "/videos/import", fields={"title": title, "format": format, "language": language, "media_url": media_url, "channel_name": channel_name, "published_at": published_at, "speakers": speakers, "options": options, "webhook_url": webhook_url, "priority": priority, "custom_instructions": custom_instructions, "service_name": service_name, "agent_name": agent_name, "client_reference": client_reference}, idempotency_key=idempotency_key or new_key())

    def list(self, *, limit: int | None = None, status: t.JobStatus | None = None, q: str | None = None) -> Pages[t.Job]:
        """List your jobs.

        Newest first. `offset` goes to any page, but jobs submitted in the meantime shift the others, and distant pages are slower. `cursor` reads lists of any length: every page takes the same time, and every job that existed when you started is listed exactly once. A cursor is valid for the `status` and `q` it was created with; `limit` may change. With `q`, `total` counts what matches.

        Args:
            limit: Maximum number of jobs per page.
            status: Lists only jobs with this status.
            q: Lists only jobs about videos whose title or channel contains this text, in any case, or whose ID, or that of the job, begins with it.
        """
        return self._transport.pages("jobs", "/videos/", query={"limit": limit, "status": status, "q": q})

    def thumbnails(self, url: str) -> t.Thumbnails:
        """Thumbnails of a video.

        Returns the URLs of the thumbnails on the platform. The three smaller sizes exist for every video; `standard` and `maxres` are included if they exist. The first request for a video asks the image host, and the answer is remembered. If the host does not answer soon, they are included if the platform has listed them for this video. Whether the video itself exists is not checked.

        Args:
            url: URL of a public video, in any of the forms that the platform uses, or its ID of 11 characters.
        """
        return self._transport.json("GET", "/videos/thumbnails", query={"url": url})

    def cancel(self, job_id: str) -> t.Job:
        """Cancel a job.

        A job that has not ended fails with `JOB_CANCELLED`: its work stops, its video is returned to the quota, and its webhook receives `job.failed`. If a summary was finished or the language model had been used, the video still counts, and the warning `QUOTA_KEPT` says why. A job that has already ended does not change. Either way, the response is the current state of the job.

        Args:
            job_id: ID of the job. An ID that is unknown, malformed or of another account is `NOT_FOUND`.
        """
        return self._transport.json("POST", f"/videos/cancel/{encode_id(job_id)}", job_id=job_id)

    def process_sync(self, url: str | t.SubmitVideo | t.SubmitSourceVideo | None = None, *, options: t.VideoOptions | None = None, webhook_url: str | None = None, priority: t.Priority | None = None, custom_instructions: str | None = None, use_proxy: bool | None = OMIT, force_refresh: bool | None = None, service_name: str | None = None, agent_name: str | None = None, client_reference: str | None = None, source: t.VideoOfSource | None = None, wait: int | None = None, idempotency_key: str | None = None) -> t.DefaultResult:
        """Submit a video and wait for its result.

        Works like `POST /videos/process`, but responds with the result, or with the error of the failed job. If the job takes longer than `wait`, the response is `PROCESSING_TIMEOUT` with `details.job_id`, and the job keeps running.

        Args:
            url: URL of a public video, in any of the forms that the platform uses, or its ID of 11 characters.
            webhook_url: Public http(s) URL that receives an event when the job ends. Requires the Pro plan.
            priority: Jobs of priority `high` start first. `high` requires the Pro plan.
            custom_instructions: What the summaries should focus on. Only the mode decides their structure. Requires the Pro plan.
            use_proxy: `true`: use proxies only. `false`: never use them. `null` or absent: use them when direct requests are blocked.
            force_refresh: Fetches the captions again and rewrites the summaries, instead of reusing stored ones.
            source: A video of a source, in place of `url`.
            wait: Maximum number of seconds to wait for the result.
        """
        return self._transport.json("POST", "/videos/process-sync", query={"wait": wait}, body=build_body({"url": url, "options": options, "webhook_url": webhook_url, "priority": priority, "custom_instructions": custom_instructions, "use_proxy": use_proxy, "force_refresh": force_refresh, "service_name": service_name, "agent_name": agent_name, "client_reference": client_reference, "source": source}, nullable=["use_proxy"]), idempotency_key=idempotency_key or new_key())

    def infographic(self, job_id: str, *, format: t.InfographicFormat | None = None, layout: t.InfographicLayout | None = None, theme: t.InfographicTheme | None = None) -> bytes:
        """Infographic of a job.

        Returns the infographic of a completed job that was submitted with `options.generate_infographic`. The first request for another layout, theme or format draws that picture, and it is kept. A process draws two at the same time; above that, the response is `503` with `Retry-After`.

        `infographic_url` of a result is a link to it that is signed: it works without a key for at least seven days, in every layout, theme and format.

        Args:
            job_id: ID of the job. An ID that is unknown, malformed or of another account is `NOT_FOUND`.
            format: Default: `png`.
            layout: `card`: 1080 by 1350 pixels. `wide`: 1200 by 675. `story`: 1080 by 1920. Default: `card`.
            theme: Default: `light`.
        """
        return self._transport.file("GET", f"/videos/infographic/{encode_id(job_id)}", query={"format": format, "layout": layout, "theme": theme}, job_id=job_id)

    def export_pdf(self, job_id: str, *, paper: t.PaperSize | None = None, transcript: bool | None = None, modes: str | None = None) -> bytes:
        """Result as PDF.

        Returns the result of a completed job as a PDF: a title page, the summaries, whose citations lead to the line of the transcript and to the moment of the video, and the transcript with its chapters. It is tagged for screen readers (PDF/UA-1) or, with more than 1 MB of text, made for archives (PDF/A-2b).

        A PDF is rendered on the first request and kept: the same request returns the same bytes. A process renders two at the same time; above that, the response is `503` with `Retry-After`. A video that is too long to be rendered is refused with `504`: leave out its transcript. Requires the Pro plan.

        Args:
            job_id: ID of the job. An ID that is unknown, malformed or of another account is `NOT_FOUND`.
            paper: Size of the pages. Default: `a4`.
            transcript: Whether the transcript is included. Default: `true`. Without it, the chapters are listed.
            modes: Only these of the summaries, separated by commas. Default: all that the result has.
        """
        return self._transport.file("GET", f"/videos/export/{encode_id(job_id)}/pdf", query={"paper": paper, "transcript": transcript, "modes": modes}, job_id=job_id)

    def derive(self, job_id: str, summary_modes: Sequence[t.SummaryMode] | t.DeriveJob | None = None, *, custom_instructions: str | None = OMIT, output_language: str | None = OMIT, generate_infographic: bool | None = None, max_cost_usd: float | None = None, templates: Sequence[str] | None = None, webhook_url: str | None = None, idempotency_key: str | None = None) -> t.SubmittedJob:
        """Derive a job from a completed one.

        Accepts a new job that adds summaries to a completed one, its source. The new job uses the transcript of the source as it is: nothing is requested from the video platform, and no video of the quota is used. Its result contains the summaries of the source and the added ones; a summary in a mode that the source already has replaces that one. Summaries that were written for your account before cost nothing. The source does not change.

        Up to 20 jobs can be derived from a job, including those derived from the new jobs; jobs that failed without cost do not count. Attribution fields are those of the source.

        Args:
            job_id: ID of the job. An ID that is unknown, malformed or of another account is `NOT_FOUND`.
            summary_modes: Summaries to be added. Default: those of the source, if instructions or a language are given, otherwise none. A source that has none needs at least one mode here. The Free plan includes only `tldr`.
            custom_instructions: What the added summaries should focus on. Default: as in the source; `null`: nothing. Requires the Pro plan.
            output_language: Language of the added summaries (BCP-47). Default: as in the source; `null`: that of the transcript.
            generate_infographic: Makes a picture of what the video says. Requires the Pro plan.
            max_cost_usd: What the new job may cost, in US dollars; see `options.max_cost_usd`. The limit of the source does not apply.
            templates: Forms to be filled from the transcript, with evidence for every value: `name` for the latest version of a template, or `name@2`. The result has them in `extractions`. Built in: `quotes`, `chapters`, `action_items`, `flashcards` (Requires the Plus plan.) Those of your account: Requires the Pro plan.
            webhook_url: Public http(s) URL that receives an event when the job ends. Requires the Pro plan.
        """
        return self._transport.json("POST", f"/videos/derive/{encode_id(job_id)}", body=build_body({"summary_modes": summary_modes, "custom_instructions": custom_instructions, "output_language": output_language, "generate_infographic": generate_infographic, "max_cost_usd": max_cost_usd, "templates": templates, "webhook_url": webhook_url}, nullable=["custom_instructions", "output_language"]), idempotency_key=idempotency_key or new_key(), job_id=job_id)

    def delete(self, job_id: str) -> None:
        """Delete a job.

        Deletes a job that has ended, with everything that it holds: result, conversations, infographic, and stored captions and summaries that no other job uses. It is no longer found by searches, at once. Events about it that have not been delivered are dropped, and none can be delivered again. Usage and quota stay as they are, and its receipt as a sum. Jobs that filled its row of a table go with it; jobs derived from it by request keep everything. Of the jobs about the same video, the newest one that is left takes its place in the library. An unfinished job, and one to which an unfinished job adds, is refused: cancel it, or wait.

        Args:
            job_id: ID of the job. An ID that is unknown, malformed or of another account is `NOT_FOUND`.
        """
        return self._transport.none("DELETE", f"/videos/{encode_id(job_id)}", job_id=job_id)

    def estimate(self, url: str | t.SubmitVideo | t.SubmitSourceVideo | None = None, *, options: t.VideoOptions | None = None, webhook_url: str | None = None, priority: t.Priority | None = None, custom_instructions: str | None = None, use_proxy: bool | None = OMIT, force_refresh: bool | None = None, service_name: str | None = None, agent_name: str | None = None, client_reference: str | None = None, source: t.VideoOfSource | None = None) -> t.VideoEstimate:
        """Estimate a video.

        Says whether the request would be accepted, and what it would use and cost. Nothing is created or counted, and neither the video platform nor a language model is called; only the host name of a webhook is looked up. An invalid request is refused as it would be when submitted; one that your plan, quota or request limit does not allow has `would_accept:false` and lists every reason. The body is that of `POST /videos/process`.

        Args:
            url: URL of a public video, in any of the forms that the platform uses, or its ID of 11 characters.
            webhook_url: Public http(s) URL that receives an event when the job ends. Requires the Pro plan.
            priority: Jobs of priority `high` start first. `high` requires the Pro plan.
            custom_instructions: What the summaries should focus on. Only the mode decides their structure. Requires the Pro plan.
            use_proxy: `true`: use proxies only. `false`: never use them. `null` or absent: use them when direct requests are blocked.
            force_refresh: Fetches the captions again and rewrites the summaries, instead of reusing stored ones.
            source: A video of a source, in place of `url`.
        """
        return self._transport.json("POST", "/videos/estimate", body=build_body({"url": url, "options": options, "webhook_url": webhook_url, "priority": priority, "custom_instructions": custom_instructions, "use_proxy": use_proxy, "force_refresh": force_refresh, "service_name": service_name, "agent_name": agent_name, "client_reference": client_reference, "source": source}, nullable=["use_proxy"]))

    def receipt(self, job_id: str) -> t.JobReceipt:
        """Receipt of a job.

        Returns what a job has cost and why, line by line: its effect on the quota, each call of the language model, and the requests to the video platform. Work that cost nothing also has a line: a failed job is returned to the quota, and reused work says what it saved. Of a job that you have deleted, what it cost remains as one line. A receipt expires with its job.

        Args:
            job_id: ID of the job. An ID that is unknown, malformed or of another account is `NOT_FOUND`.
        """
        return self._transport.json("GET", f"/videos/receipt/{encode_id(job_id)}", job_id=job_id)


class Batches(Resource):
    def export(self, batch_id: str, *, format: t.DocumentFormat | None = None) -> bytes:
        """Results of a batch as files.

        Returns what the batch has completed so far as a ZIP archive with one document for each video. With `format=chunks`, it is one NDJSON file with the passages of all videos. If nothing is completed, the archive is empty.

        A video has the same file name in every export: its title and its ID, without anything that an operating system refuses. The archive is written while it is sent, so an archive that cannot be opened is incomplete: request it again. 2 exports of an account run at a time.

        Args:
            batch_id: ID of the batch. An ID that is unknown, malformed or of another account is `NOT_FOUND`.
            format: The format of the documents: any but JSON and PDF. `chunks` gives one file of lines of JSON for all videos.
        """
        return self._transport.file("GET", f"/batch/export/{encode_id(batch_id)}", query={"format": format})

    def estimate(self, videos: Sequence[t.BatchVideo] | t.SubmitBatch | t.SubmitSourceBatch | None = None, *, webhook_url: str | None = None, max_cost_usd: float | None = None, priority: t.Priority | None = None, digest: bool | None = None, parallel_processing: bool | None = None, service_name: str | None = None, agent_name: str | None = None, client_reference: str | None = None, source: t.SourceSelection | None = None, options: t.VideoOptions | None = None, custom_instructions: str | None = None) -> t.BatchEstimate:
        """Estimate a batch.

        Says whether the request would be accepted, and what it would use and cost. Nothing is created or counted, and neither the video platform nor a language model is called; only the host name of a webhook is looked up. An invalid request is refused as it would be when submitted; one that your plan, quota or request limit does not allow has `would_accept:false` and lists every reason. The body is that of `POST /batch/process`.

        Args:
            videos: Jobs are numbered in this order, and a video can occur more than once. The deprecated names of fields (`video_url`, `summary_mode`, `summary_type`) are accepted here as well.
            webhook_url: Public http(s) URL that receives one event when all jobs have ended.
            max_cost_usd: What all jobs of the batch together may cost, in US dollars. Those of `options` apply as well, each to its job.
            priority: Accepted without effect: single jobs take precedence over those of batches.
            digest: Makes a digest when the batch has ended. Its ID is in the status of the batch.
            parallel_processing: Accepted without effect.
            source: Videos of a source in place of `videos`: the first 100 that fit.
            options: With `source`: the options of all its videos.
            custom_instructions: What the summaries should focus on. Only the mode decides their structure. Requires the Pro plan.
        """
        return self._transport.json("POST", "/batch/estimate", body=build_body({"videos": videos, "webhook_url": webhook_url, "max_cost_usd": max_cost_usd, "priority": priority, "digest": digest, "parallel_processing": parallel_processing, "service_name": service_name, "agent_name": agent_name, "client_reference": client_reference, "source": source, "options": options, "custom_instructions": custom_instructions}))

    def submit(self, videos: Sequence[t.BatchVideo] | t.SubmitBatch | t.SubmitSourceBatch | None = None, *, webhook_url: str | None = None, max_cost_usd: float | None = None, priority: t.Priority | None = None, digest: bool | None = None, parallel_processing: bool | None = None, service_name: str | None = None, agent_name: str | None = None, client_reference: str | None = None, source: t.SourceSelection | None = None, options: t.VideoOptions | None = None, custom_instructions: str | None = None, idempotency_key: str | None = None) -> t.SubmittedBatch:
        """Submit many videos.

        Accepts 1 to 100 videos as one batch, as a whole or not at all: one invalid entry refuses the batch, and the path of the issue says which one (`videos.3.url`). A batch that the quota does not cover is refused, and nothing is counted. Follow the batch with `GET /batch/status/{batch_id}`, or add a `webhook_url` to receive one event when all its jobs have ended; jobs can also be followed one by one. Jobs that fail are returned to the quota. The body may have up to 20 MB. With `source` in place of `videos`, the first 100 videos of a playlist or a channel that fit are taken; repeat the request with `not_processed` to take the next ones. Requires the Pro plan.

        Args:
            videos: Jobs are numbered in this order, and a video can occur more than once. The deprecated names of fields (`video_url`, `summary_mode`, `summary_type`) are accepted here as well.
            webhook_url: Public http(s) URL that receives one event when all jobs have ended.
            max_cost_usd: What all jobs of the batch together may cost, in US dollars. Those of `options` apply as well, each to its job.
            priority: Accepted without effect: single jobs take precedence over those of batches.
            digest: Makes a digest when the batch has ended. Its ID is in the status of the batch.
            parallel_processing: Accepted without effect.
            source: Videos of a source in place of `videos`: the first 100 that fit.
            options: With `source`: the options of all its videos.
            custom_instructions: What the summaries should focus on. Only the mode decides their structure. Requires the Pro plan.
        """
        return self._transport.json("POST", "/batch/process", body=build_body({"videos": videos, "webhook_url": webhook_url, "max_cost_usd": max_cost_usd, "priority": priority, "digest": digest, "parallel_processing": parallel_processing, "service_name": service_name, "agent_name": agent_name, "client_reference": client_reference, "source": source, "options": options, "custom_instructions": custom_instructions}), idempotency_key=idempotency_key or new_key())

    def status(self, batch_id: str) -> t.BatchWithJobs:
        """Status of a batch.

        Returns the current state of the batch and of each of its jobs. The batch has ended when `status` is no longer `processing`: it is `completed` if all jobs completed, `failed` if none did, else `partial_failure`. Until then, wait for `Retry-After` seconds between requests.

        Args:
            batch_id: ID of the batch. An ID that is unknown, malformed or of another account is `NOT_FOUND`.
        """
        return self._transport.json("GET", f"/batch/status/{encode_id(batch_id)}")

    def results(self, batch_id: str, *, include_failed: bool | None = None, format: Literal["json"] | None = None) -> t.BatchResults:
        """Results of a batch.

        Returns the results available so far, even while other jobs are running. Texts are Markdown; with `format=json`, results are structured like single ones. The response can be very long: read it as a stream.

        Args:
            batch_id: ID of the batch. An ID that is unknown, malformed or of another account is `NOT_FOUND`.
            include_failed: `true` also lists the jobs that failed, and why.
            format: Returns structured results instead of Markdown texts.
        """
        return self._transport.json("GET", f"/batch/results/{encode_id(batch_id)}", query={"include_failed": include_failed, "format": format})

    def list(self, *, limit: int | None = None, status: t.BatchStatus | None = None) -> Pages[t.Batch]:
        """List your batches.

        Newest first. `offset` goes to any page. `cursor` reads lists of any length, and every batch that existed when you started is listed exactly once. A cursor is valid for the `status` it was created with.

        Args:
            limit: Maximum number of batches per page.
            status: Lists only batches with this status.
        """
        return self._transport.pages("batches", "/batch/", query={"limit": limit, "status": status})

    def create_table(self, batch_id: str, template: str | t.BatchTableRequest | None = None, *, questions: Sequence[str] | None = None, idempotency_key: str | None = None) -> t.VideoTable:
        """Table over a batch.

        Fills a template, or answers questions, for each of up to 20 videos, and puts what their lines carry into one table. A job that is derived from each of them does it: it uses no video of the quota, and has a receipt. A failed video is a row of nulls. Read the table with `GET /tables/{table_id}`. Requires the Pro plan and a language model.

        Args:
            batch_id: ID of the batch. An ID that is unknown, malformed or of another account is `NOT_FOUND`.
            template: Its properties are the columns.
            questions: Each is a column. The answers are sentences that the lines of the video carry.
        """
        return self._transport.json("POST", f"/batch/table/{encode_id(batch_id)}", body=build_body({"template": template, "questions": questions}), idempotency_key=idempotency_key or new_key())

    def create_digest(self, batch_id: str, instructions: str | t.CreateDigest | None = None, *, output_language: str | None = None, idempotency_key: str | None = None) -> t.CreatedDigest:
        """Make a digest of a batch.

        A digest groups points of the stored summaries by what they are about, and names what the videos say differently. Every text in it is a point that was checked when its summary was written; a language model only groups them by their numbers. Without a language model, points are grouped by the terms that they share, with the warning `MODEL_REQUIRED`. Requires the Pro plan.

        Args:
            batch_id: ID of the batch. An ID that is unknown, malformed or of another account is `NOT_FOUND`.
            instructions: What the digest should emphasize.
            output_language: Language of headings and questions (BCP-47). Points stay as their summaries have them.
        """
        return self._transport.json("POST", f"/batch/digest/{encode_id(batch_id)}", body=build_body({"instructions": instructions, "output_language": output_language}), idempotency_key=idempotency_key or new_key())

    def receipt(self, batch_id: str) -> t.BatchReceipt:
        """Receipt of a batch.

        Returns the receipts of all jobs of a batch as one, whose lines name their jobs, with what digests of it have cost. Jobs derived from them, such as those that fill a table, have receipts of their own.

        Args:
            batch_id: ID of the batch. An ID that is unknown, malformed or of another account is `NOT_FOUND`.
        """
        return self._transport.json("GET", f"/batch/receipt/{encode_id(batch_id)}")


class Library(Resource):
    def export(self, *, format: t.DocumentFormat | None = None, job_ids: str | None = None, since: str | None = None, source_id: str | None = None) -> bytes:
        """Library as files.

        Returns your library, the newest completed job of each of your videos, as a ZIP archive with one document for each video. With `format=chunks`, it is one NDJSON file with the passages of all videos. If nothing is completed, the archive is empty.

        A video has the same file name in every export: its title and its ID, without anything that an operating system refuses. The archive is written while it is sent, so an archive that cannot be opened is incomplete: request it again. 2 exports of an account run at a time.

        Args:
            format: The format of the documents: any but JSON and PDF. `chunks` gives one file of lines of JSON for all videos.
            job_ids: Only the completed ones of these jobs, at most 100, separated by commas, also those of which your library has a newer one.
            since: Only jobs that were completed on or after this day (UTC), or at or after this time.
            source_id: Only videos of this source, also if it does not list them any more.
        """
        return self._transport.file("GET", "/library/export", query={"format": format, "job_ids": job_ids, "since": since, "source_id": source_id})

    def search(self, q: str, *, kind: t.LibrarySearchKind | None = None, language: str | None = None, channel_id: str | None = None, source_id: str | None = None, from_: str | None = None, to: str | None = None, limit: int | None = None) -> Pages[t.LibraryHit]:
        """Search what was said.

        Searches the transcripts of your library: the newest completed job of each of your videos. A job is found as soon as it is completed. Words are found in all their forms, in any case and width, with and without accents; marks that make another letter count. Japanese, Chinese and Korean are searched without spaces. No word is ignored. A search costs nothing.

        Args:
            q: What to look for. With `kind=words`, `"a phrase"` has to be said as it is, and `-word` or `-"a phrase"` must not be said.
            kind: `words`: videos in which all words are said, wherever. `question`: videos with passages that fit a question; any of its words may be missing.
            language: Only transcripts in this language (BCP-47). `pt` includes `pt-BR`.
            channel_id: Only videos of this channel, by its ID or, if it has none, its name.
            source_id: Only videos of this source, also if it does not list them any more.
            from_: Only videos published from this day (UTC) or time on. If nobody says when, the end of the job counts.
            to: Only videos published up to this day (UTC) or time, which is included.
            limit: Maximum number of hits per page.
        """
        return self._transport.pages("hits", "/library/search", query={"q": q, "kind": kind, "language": language, "channel_id": channel_id, "source_id": source_id, "from": from_, "to": to, "limit": limit})

    def mentions(self, q: str, *, by: t.MentionGrouping | None = None, from_: str | None = None, to: str | None = None) -> t.MentionCounts:
        """Count mentions.

        Counts how often something is said in your library, by month, channel or video. A mention is one place where the word or phrase is said, in any of its forms; several add up. Counts are exact. If more than 2,000 videos come into question, the newest are counted, with the warning `MENTIONS_CAPPED`.

        Args:
            q: Words and `"phrases"`, each of which counts wherever it is said. Videos in which `-word` is said are left out.
            by: What a group has in common.
            from_: Only videos published from this day (UTC) or time on. If nobody says when, the end of the job counts.
            to: Only videos published up to this day (UTC) or time, which is included.
        """
        return self._transport.json("GET", "/library/mentions", query={"q": q, "by": by, "from": from_, "to": to})

    def create_table(self, job_ids: Sequence[str] | t.LibraryTableRequest, *, template: str | None = None, questions: Sequence[str] | None = None, idempotency_key: str | None = None) -> t.VideoTable:
        """Table over jobs.

        Fills a template, or answers questions, for each of up to 20 videos, and puts what their lines carry into one table. A job that is derived from each of them does it: it uses no video of the quota, and has a receipt. A failed video is a row of nulls. Read the table with `GET /tables/{table_id}`. Requires the Pro plan and a language model.

        Args:
            job_ids: Completed jobs, each once. They are the rows.
            template: Its properties are the columns.
            questions: Each is a column. The answers are sentences that the lines of the video carry.
        """
        return self._transport.json("POST", "/library/table", body=build_body({"job_ids": job_ids, "template": template, "questions": questions}), idempotency_key=idempotency_key or new_key())

    def ask(self, message: str | t.AskLibrary, *, conversation_id: str | None = None, regenerate: bool | None = None, scope: t.LibraryScope | None = None, idempotency_key: str | None = None) -> t.LibraryAnswer:
        """Ask a question about many videos.

        Answers a question from the passages of many videos that fit it best: at most 20, and four of a video. Every sentence is checked against the lines of the videos that it cites; `not_in_video` means that none of them answers it. Conversations work as those about a single video, and count toward the same quota. Without a language model, and while it is unavailable, the answer consists of the three passages that fit best. Requires the Pro plan.

        Args:
            message: The question, in any language.
            conversation_id: The conversation that the question continues. Default: a new one.
            regenerate: Replaces the last question of the conversation and its answer, once the new answer is complete. Send the same `message` for another answer, or a better one.
            scope: Required in the first message of a conversation, which keeps it.
        """
        return self._transport.json("POST", "/library/chat", body=build_body({"message": message, "conversation_id": conversation_id, "regenerate": regenerate, "scope": scope}), idempotency_key=idempotency_key or new_key())

    def conversations(self, *, limit: int | None = None) -> Pages[t.LibraryConversation]:
        """List the conversations about many videos.

        Newest first. Pages work as in `GET /videos/`.

        Args:
            limit: Maximum number of conversations per page.
        """
        return self._transport.pages("conversations", "/library/chat", query={"limit": limit})

    def conversation(self, conversation_id: str) -> t.LibraryConversationWithMessages:
        """Get a conversation about many videos.

        Like a conversation about a single video. When a job is deleted, what answers took from it goes with it.

        Args:
            conversation_id: ID of the conversation. One that is unknown, malformed or of another job is `NOT_FOUND`.
        """
        return self._transport.json("GET", f"/library/chat/{encode_id(conversation_id)}")

    def delete_conversation(self, conversation_id: str) -> t.DeletedConversation:
        """Delete a conversation about many videos.

        Deletes all messages of a conversation. Its costs remain in your usage.

        Args:
            conversation_id: ID of the conversation. One that is unknown, malformed or of another job is `NOT_FOUND`.
        """
        return self._transport.json("DELETE", f"/library/chat/{encode_id(conversation_id)}")


class Chat(Resource):
    def ask(self, job_id: str, message: str | t.AskQuestion, *, conversation_id: str | None = None, regenerate: bool | None = None, idempotency_key: str | None = None) -> t.ChatAnswer:
        """Ask a question about a video.

        Answers a question about the video of a completed job, in the language of the question. Every sentence of an answer is checked against the segments of the transcript that it cites; sentences that these do not support are left out. Without a language model, and while it is unavailable, the answer consists of the three passages that fit best.

        With `stream`, the response is a stream of Server-Sent Events: `delta` with each sentence as soon as it has been checked, `citation` with each citation of that sentence, and finally `done` with the whole answer. The answer is written even if you disconnect: `GET /videos/chat/{job_id}/{conversation_id}` has it. In place of `done`, `error` says why an answer could not be completed.

        A conversation has up to 100 messages, and one answer at a time is written in it. Requires the Pro plan.

        Args:
            job_id: ID of the job. An ID that is unknown, malformed or of another account is `NOT_FOUND`.
            message: The question, in any language.
            conversation_id: The conversation that the question continues. Default: a new one.
            regenerate: Replaces the last question of the conversation and its answer, once the new answer is complete. Send the same `message` for another answer, or a better one.
        """
        return self._transport.json("POST", f"/videos/chat/{encode_id(job_id)}", body=build_body({"message": message, "conversation_id": conversation_id, "regenerate": regenerate}), idempotency_key=idempotency_key or new_key(), job_id=job_id)

    def list(self, job_id: str, *, limit: int | None = None) -> Pages[t.Conversation]:
        """List the conversations about a video.

        Newest first. Pages work as in `GET /videos/`.

        Args:
            job_id: ID of the job. An ID that is unknown, malformed or of another account is `NOT_FOUND`.
            limit: Maximum number of conversations per page.
        """
        return self._transport.pages("conversations", f"/videos/chat/{encode_id(job_id)}", query={"limit": limit}, job_id=job_id)

    def get(self, job_id: str, conversation_id: str) -> t.ConversationWithMessages:
        """Get a conversation.

        Returns all messages. An answer that is still being written is `pending`; one that could not be written is `failed`, costs nothing, and can be requested again with `regenerate`.

        Args:
            job_id: ID of the job. An ID that is unknown, malformed or of another account is `NOT_FOUND`.
            conversation_id: ID of the conversation. One that is unknown, malformed or of another job is `NOT_FOUND`.
        """
        return self._transport.json("GET", f"/videos/chat/{encode_id(job_id)}/{encode_id(conversation_id)}", job_id=job_id)

    def delete(self, job_id: str, conversation_id: str) -> t.DeletedConversation:
        """Delete a conversation.

        Deletes all messages of a conversation. Conversations are also deleted together with their job. Their costs remain in your usage.

        Args:
            job_id: ID of the job. An ID that is unknown, malformed or of another account is `NOT_FOUND`.
            conversation_id: ID of the conversation. One that is unknown, malformed or of another job is `NOT_FOUND`.
        """
        return self._transport.json("DELETE", f"/videos/chat/{encode_id(job_id)}/{encode_id(conversation_id)}", job_id=job_id)

    def receipt(self, job_id: str, conversation_id: str) -> t.ConversationReceipt:
        """Receipt of a conversation.

        Returns what the answers in a chat about a job have cost, even after the conversation was deleted.

        Args:
            job_id: ID of the job. An ID that is unknown, malformed or of another account is `NOT_FOUND`.
            conversation_id: ID of the conversation. One that is unknown, malformed or of another job is `NOT_FOUND`.
        """
        return self._transport.json("GET", f"/videos/receipt/{encode_id(job_id)}/{encode_id(conversation_id)}", job_id=job_id)


class Sources(Resource):
    def ask(self, url: str | t.AskForSource, *, refresh: bool | None = None, idempotency_key: str | None = None) -> t.Source:
        """List a playlist, a channel or a podcast.

        Lists the videos of a playlist or a channel, or the episodes of a podcast. Handles and other names are resolved first. The response is 200 if the source was listed within the last ten minutes, by whomever: its videos can be read at once. Otherwise it is 202: wait for it with `GET /sources/{source_id}?wait=60`. The same source always has the same `source_id` for you, by whatever name you ask for it. Listing is free and included in every plan. An account can cause 60 listings an hour.

        Args:
            url: Address of a playlist or of a channel in any of the forms that the platform uses, with or without a tab, or only the ID (`PL...`, `UC...`) or the `@handle`; or the http(s) URL of the feed of a podcast.
            refresh: Lists it anew even if it was listed a moment ago.
        """
        return self._transport.json("POST", "/sources", body=build_body({"url": url, "refresh": refresh}), idempotency_key=idempotency_key or new_key())

    def list(self, *, limit: int | None = None) -> Pages[t.Source]:
        """List your sources.

        The sources that you have asked for, newest first.

        Args:
            limit: Maximum number of sources per page.
        """
        return self._transport.pages("sources", "/sources/", query={"limit": limit})

    def get(self, source_id: str, *, wait: int | None = None) -> t.Source:
        """Get a source.

        Returns a source. With `wait`, the response comes as soon as nobody lists it any more, or after so many seconds.

        Args:
            wait: Seconds to wait for the listing to end.
        """
        return self._transport.json("GET", f"/sources/{encode_id(source_id)}", query={"wait": wait})

    def delete(self, source_id: str) -> None:
        """Forget a source.

        Forgets the source. Its videos and your jobs stay. A source that a subscription follows is refused.
        """
        return self._transport.none("DELETE", f"/sources/{encode_id(source_id)}")

    def videos(self, source_id: str, *, type: t.SourceVideoType | None = None, not_processed: bool | None = None, since_video_id: str | None = None, limit: int | None = None) -> Pages[t.SourceVideo]:
        """Videos of a source.

        A channel is in the order of its uploads, newest first, and a playlist in its own order. Every video that you have processed has your latest job. A source that could not be listed responds with its error.

        Args:
            type: Only videos of this type.
            not_processed: `true`: only videos that you have neither processed nor are processing.
            since_video_id: Only what is newer than this video: before it in a channel, after it in a playlist. If the source does not list it, everything is returned, with the warning `WATERMARK_NOT_FOUND`.
            limit: Maximum number of videos per page.
        """
        return self._transport.pages("videos", f"/sources/{encode_id(source_id)}/videos", query={"type": type, "not_processed": not_processed, "since_video_id": since_video_id, "limit": limit})


class Subscriptions(Resource):
    def create(self, action: t.SubscriptionAction | t.NewSubscription, *, source_id: str | None = None, url: str | None = None, options: t.VideoOptions | None = None, priority: t.Priority | None = None, filter: t.SubscriptionFilter | None = None, match: t.SubscriptionMatch | None = None, catch_up: int | None = None, max_per_day: int | None = None, deliver: t.SubscriptionDelivery | None = None, idempotency_key: str | None = None) -> t.Subscription:
        """Follow a source.

        Looks at a playlist, a channel or a podcast regularly and processes or reports every new video. The first check records the videos that exist already as skipped, but for the newest `catch_up`. Every video has an item that says what became of it, and why. An account has at most 50 subscriptions. Requires the Pro plan.

        Args:
            source_id: From `POST /sources`.
            url: Instead of `source_id`: what `POST /sources` takes.
            options: As in `POST /videos/process`.
            catch_up: How many of the newest videos that exist already are treated as new.
            max_per_day: Maximum number of videos per UTC day. Others wait until the next one.
        """
        return self._transport.json("POST", "/subscriptions", body=build_body({"action": action, "source_id": source_id, "url": url, "options": options, "priority": priority, "filter": filter, "match": match, "catch_up": catch_up, "max_per_day": max_per_day, "deliver": deliver}), idempotency_key=idempotency_key or new_key())

    def list(self, *, limit: int | None = None) -> Pages[t.Subscription]:
        """List your subscriptions.

        Newest first.

        Args:
            limit: Maximum number per page.
        """
        return self._transport.pages("subscriptions", "/subscriptions/", query={"limit": limit})

    def get(self, subscription_id: str) -> t.Subscription:
        """Get a subscription.

        Args:
            subscription_id: ID of the subscription.
        """
        return self._transport.json("GET", f"/subscriptions/{encode_id(subscription_id)}")

    def update(self, subscription_id: str, action: t.SubscriptionAction | t.SubscriptionUpdate | None = None, *, options: t.VideoOptions | None = None, priority: t.Priority | None = None, filter: t.SubscriptionFilter | None = OMIT, match: t.SubscriptionMatch | None = OMIT, max_per_day: int | None = OMIT, deliver: t.SubscriptionDelivery | None = OMIT) -> t.Subscription:
        """Change a subscription.

        Applies to items that have not been decided yet.

        Args:
            subscription_id: ID of the subscription.
            options: As in `POST /videos/process`.
            filter: `null` removes it.
            match: `null` removes it.
            max_per_day: Maximum number of videos per UTC day. Others wait until the next one. `null`: no limit.
            deliver: Replaces it as a whole. `null` removes it.
        """
        return self._transport.json("PATCH", f"/subscriptions/{encode_id(subscription_id)}", body=build_body({"action": action, "options": options, "priority": priority, "filter": filter, "match": match, "max_per_day": max_per_day, "deliver": deliver}, nullable=["filter", "match", "max_per_day", "deliver"]))

    def delete(self, subscription_id: str) -> None:
        """End a subscription.

        Deletes the subscription with its items and feeds. Jobs that it has submitted stay.

        Args:
            subscription_id: ID of the subscription.
        """
        return self._transport.none("DELETE", f"/subscriptions/{encode_id(subscription_id)}")

    def pause(self, subscription_id: str) -> t.Subscription:
        """Pause a subscription.

        Jobs that have been submitted go on.

        Args:
            subscription_id: ID of the subscription.
        """
        return self._transport.json("POST", f"/subscriptions/{encode_id(subscription_id)}/pause")

    def resume(self, subscription_id: str) -> t.Subscription:
        """Resume a subscription.

        Handles the videos that were published while it was paused.

        Args:
            subscription_id: ID of the subscription.
        """
        return self._transport.json("POST", f"/subscriptions/{encode_id(subscription_id)}/resume")

    def check(self, subscription_id: str) -> t.Subscription:
        """Look at the source now.

        Lists the source, even if it was listed a moment ago. The result is among the checks.

        Args:
            subscription_id: ID of the subscription.
        """
        return self._transport.json("POST", f"/subscriptions/{encode_id(subscription_id)}/check")

    def items(self, subscription_id: str, *, state: t.SubscriptionItemState | None = None, limit: int | None = None) -> Pages[t.SubscriptionItem]:
        """Items of a subscription.

        Every video that it has seen, what became of it, and why. Newest first.

        Args:
            subscription_id: ID of the subscription.
            state: Only items in this state.
            limit: Maximum number of items per page.
        """
        return self._transport.pages("items", f"/subscriptions/{encode_id(subscription_id)}/items", query={"state": state, "limit": limit})

    def retry_item(self, subscription_id: str, video_id: str) -> t.SubscriptionItem:
        """Try an item again.

        Tries an item now that waits, has failed or was skipped, whatever the filter says. One that is being processed, or has been, stays as it is.

        Args:
            subscription_id: ID of the subscription.
        """
        return self._transport.json("POST", f"/subscriptions/{encode_id(subscription_id)}/items/{encode_id(video_id)}/retry")

    def checks(self, subscription_id: str, *, limit: int | None = None) -> Pages[t.SourceCheck]:
        """Checks of the source.

        When its source was looked at, how, and what was found. Newest first, for 30 days.

        Args:
            subscription_id: ID of the subscription.
            limit: Maximum number per page.
        """
        return self._transport.pages("checks", f"/subscriptions/{encode_id(subscription_id)}/checks", query={"limit": limit})


class Feeds(Resource):
    def create(self, subscription_id: str | t.NewFeed | None = None, *, source_id: str | None = None, all: Literal[True] | None = None, name: str | None = None, idempotency_key: str | None = None) -> t.CreatedFeed:
        """Create a feed.

        Creates addresses at which feed readers find the newest videos that you have processed, with their summaries, moments and links, without a key. Whoever knows an address can read the feed; only a hash of it is stored. An account has at most 50 feeds. Requires the Pro plan.
        """
        return self._transport.json("POST", "/feeds", body=build_body({"subscription_id": subscription_id, "source_id": source_id, "all": all, "name": name}), idempotency_key=idempotency_key or new_key())

    def list(self) -> t.FeedList:
        """List your feeds.

        Newest first.
        """
        return self._transport.json("GET", "/feeds/")

    def delete(self, feed_id: str) -> None:
        """End a feed.

        Its addresses stop working at once.

        Args:
            feed_id: ID of the feed.
        """
        return self._transport.none("DELETE", f"/feeds/{encode_id(feed_id)}")

    def read_json(self, feed_token: str) -> bytes:
        """Read a feed as JSON Feed.

        JSON Feed 1.1 with the newest 50 videos. Needs no key.

        Args:
            feed_token: From the address of the feed.
        """
        return self._transport.file("GET", f"/feeds/{encode_id(feed_token)}/feed.json")

    def read_atom(self, feed_token: str) -> bytes:
        """Read a feed as Atom.

        Atom (RFC 4287) with the newest 50 videos. Needs no key.

        Args:
            feed_token: From the address of the feed.
        """
        return self._transport.file("GET", f"/feeds/{encode_id(feed_token)}/feed.atom")


class Templates(Resource):
    def create(self, name: str, schema: t.FormSchema, *, description: str | None = None, instructions: str | None = None, idempotency_key: str | None = None) -> t.Template:
        """Create a template.

        Creates a form of your own. A job that names it in `options.templates` fills it from the transcript, with evidence for every value. At most 100 per account. Requires the Pro plan.

        Args:
            description: What the template is for.
            instructions: What to look for. The schema alone decides what comes out.
        """
        return self._transport.json("POST", "/templates", body=build_body({"name": name, "schema": schema, "description": description, "instructions": instructions}), idempotency_key=idempotency_key or new_key())

    def list(self) -> t.TemplateList:
        """List templates.

        Lists the templates of your account by name, each in its latest version, and the built-in ones. Requires the Pro plan.
        """
        return self._transport.json("GET", "/templates/")

    def get(self, name: str) -> t.Template:
        """Get a template.

        Returns the latest version of a template or, for `name@2`, that one. Requires the Pro plan.

        Args:
            name: Name of the template. For one of its versions, `name@2`.
        """
        return self._transport.json("GET", f"/templates/{encode_id(name)}")

    def replace(self, name: str, schema: t.FormSchema | t.ReplaceTemplate, *, description: str | None = None, instructions: str | None = None) -> t.Template:
        """Create the next version of a template.

        Replaces description, instructions and schema, and makes the next version of the template. Earlier versions stay, and so do the results of jobs. Requires the Pro plan.

        Args:
            name: Name of the template. For one of its versions, `name@2`.
            description: What the template is for.
            instructions: What to look for. The schema alone decides what comes out.
        """
        return self._transport.json("PUT", f"/templates/{encode_id(name)}", body=build_body({"schema": schema, "description": description, "instructions": instructions}))

    def delete(self, name: str) -> None:
        """Delete a template.

        Deletes all versions of a template. Results that were made with it stay. Jobs that were accepted with it still use it. The same name can be given to another template, which shares nothing with this one.

        Args:
            name: Name of the template. For one of its versions, `name@2`.
        """
        return self._transport.none("DELETE", f"/templates/{encode_id(name)}")


class Tables(Resource):
    def get(self, table_id: str) -> t.VideoTable:
        """Get a table.

        Returns a table. While its `status` is `processing`, cells can be added, and `Retry-After` says when to ask again.

        Args:
            table_id: ID of the table.
        """
        return self._transport.json("GET", f"/tables/{encode_id(table_id)}")

    def document(self, table_id: str, format: t.TableFormat) -> str:
        """Get a table.

        Returns a table. While its `status` is `processing`, cells can be added, and `Retry-After` says when to ask again.

        Args:
            table_id: ID of the table.
            format: Takes precedence over `Accept`. CSV is safe against formulas; a value that is no text is JSON in it.
        """
        return self._transport.text("GET", f"/tables/{encode_id(table_id)}", query={"format": format})


class Digests(Resource):
    def get(self, digest_id: str) -> t.Digest:
        """Get a digest.

        Returns a digest as JSON or, with `format`, as a document. A document of a digest that is not completed is refused with `JOB_NOT_COMPLETED`.
        """
        return self._transport.json("GET", f"/digests/{encode_id(digest_id)}")

    def document(self, digest_id: str, format: t.DigestFormat) -> str:
        """Get a digest.

        Returns a digest as JSON or, with `format`, as a document. A document of a digest that is not completed is refused with `JOB_NOT_COMPLETED`.

        Args:
            format: The form of the digest.
        """
        return self._transport.text("GET", f"/digests/{encode_id(digest_id)}", query={"format": format})


class Usage(Resource):
    def current(self) -> t.CurrentUsage:
        """Usage of the current month, quotas and request limit.

        Returns the account's usage in the current calendar month (UTC), its quotas, and the request window of the caller. For information, not a bill: requests of the last second can be missing.
        """
        return self._transport.json("GET", "/usage/current")

    def history(self, *, start_date: str | None = None, end_date: str | None = None, granularity: t.Granularity | None = None, limit: int | None = None, offset: int | None = None) -> t.UsageHistory:
        """Usage over time.

        Returns the calling key's usage by hour, day, week or month; people who have signed in get that of the whole account. A job belongs to the period in which it ended. The sums agree with the `usage` of the jobs' results; failed jobs add what was spent on them. For information, not a bill: requests of the last second can be missing.

        Args:
            start_date: Start of the range, as a date (UTC) or a time. It is rounded down to the hour (`hourly`) or the day. Default: as far back as `limit` and `offset` reach.
            end_date: End of the range: a date is included, a time is not. It is rounded up to the hour (`hourly`) or the day. Default: now. Periods that have not started are left out.
            granularity: Length of a period: UTC hours, UTC days, ISO weeks (starting on Monday) or calendar months, cut at the ends of the range.
            limit: Maximum number of periods.
            offset: Number of newest periods to skip.
        """
        return self._transport.json("GET", "/usage/history", query={"start_date": start_date, "end_date": end_date, "granularity": granularity, "limit": limit, "offset": offset})

    def breakdown(self, *, start_date: str | None = None, end_date: str | None = None) -> t.UsageBreakdown:
        """Usage by endpoint, mode and key.

        Returns what the calling key has used within a range of UTC days, by endpoint, by summary mode and by key; people who have signed in get that of the whole account. For information, not a bill: requests of the last second can be missing, and summaries of deleted jobs are.

        Args:
            start_date: Start of the range, rounded down to the UTC day. Default: 30 days before its end.
            end_date: End of the range: a date is included, a time is rounded up to the UTC day. Default: now.
        """
        return self._transport.json("GET", "/usage/breakdown", query={"start_date": start_date, "end_date": end_date})

    def receipts(self, *, start_date: str | None = None, end_date: str | None = None, limit: int | None = None) -> Pages[t.UsageReceipt]:
        """Receipts of a key.

        Lists the receipts of the jobs and chat answers of the calling key that ended in the range, newest first. Those of an hour add up to that hour of `GET /usage/history`: costs, tokens, and videos as completed jobs. Receipts of jobs that you have deleted remain as sums. Receipts expire with their jobs; the history remains.

        Args:
            start_date: Start of the range, as a date (UTC) or a time. Default: as far back as there are receipts.
            end_date: End of the range: a date is included, a time is not. Default: now.
            limit: Maximum number of receipts per page of JSON. The other formats contain all of them.
        """
        return self._transport.pages("receipts", "/usage/receipts", query={"start_date": start_date, "end_date": end_date, "limit": limit})

    def receipts_document(self, format: t.ReceiptFormat, *, start_date: str | None = None, end_date: str | None = None, limit: int | None = None) -> str:
        """Receipts of a key.

        Lists the receipts of the jobs and chat answers of the calling key that ended in the range, newest first. Those of an hour add up to that hour of `GET /usage/history`: costs, tokens, and videos as completed jobs. Receipts of jobs that you have deleted remain as sums. Receipts expire with their jobs; the history remains.

        Args:
            start_date: Start of the range, as a date (UTC) or a time. Default: as far back as there are receipts.
            end_date: End of the range: a date is included, a time is not. Default: now.
            limit: Maximum number of receipts per page of JSON. The other formats contain all of them.
            format: Takes precedence over `Accept`. - `json`: the envelope, page by page - `csv`: a table with one row per line of a receipt, of the whole range - `ndjson`: one receipt per line of text, of the whole range
        """
        return self._transport.text("GET", "/usage/receipts", query={"start_date": start_date, "end_date": end_date, "limit": limit, "format": format})


class Webhooks(Resource):
    def secret(self) -> t.WebhookSecret:
        """Your webhook secret.

        Returns the first characters and the dates of the secret that signs your webhooks, and of previous secrets that are still used for signing. If the account has no secret, one is created. The secret itself is shown only by `POST /webhooks/secret/rotate`. Requires the Pro plan.
        """
        return self._transport.json("GET", "/webhooks/secret")

    def rotate_secret(self, *, idempotency_key: str | None = None) -> t.RotatedWebhookSecret:
        """Replace your webhook secret.

        Creates a new secret and shows it once. For 24 hours, `webhook-signature` carries a signature with the new and one with the previous secret, so that receivers can verify with either. `X-Webhook-Signature` holds a single signature and uses the new secret at once. A leaked secret is useless as soon as your receiver accepts only the new one. At most twenty previous secrets are used for signing; further rotations are `RATE_LIMITED` until one of them expires. Requires the Pro plan.
        """
        return self._transport.json("POST", "/webhooks/secret/rotate", idempotency_key=idempotency_key or new_key())

    def deliveries(self, *, limit: int | None = None, status: t.DeliveryStatus | None = None, event: t.WebhookEventType | None = None, job_id: str | None = None, job: str | None = None) -> Pages[t.WebhookDelivery]:
        """List your webhook deliveries.

        Newest first. `offset` goes to any page. `cursor` reads lists of any length, and every delivery that existed when you started is listed exactly once. A cursor is valid for the filters it was created with. Requires the Pro plan.

        Args:
            limit: Maximum number of deliveries per page.
            status: Lists only deliveries with this status.
            event: Lists only deliveries of this event.
            job_id: Lists only deliveries about this job.
            job: Same as `job_id`. Send only one of them.
        """
        return self._transport.pages("deliveries", "/webhooks/deliveries", query={"limit": limit, "status": status, "event": event, "job_id": job_id, "job": job})

    def delivery(self, delivery_id: str) -> t.WebhookDeliveryWithAttempts:
        """A webhook delivery and its attempts.

        Returns the body that was sent, and the outcome of every attempt with the beginning of the receiver's response. Requires the Pro plan.

        Args:
            delivery_id: ID of the delivery.
        """
        return self._transport.json("GET", f"/webhooks/deliveries/{encode_id(delivery_id)}")

    def redeliver(self, delivery_id: str, *, idempotency_key: str | None = None) -> t.WebhookDelivery:
        """Deliver an event again.

        Sends the same bytes with the same event ID at once; the count of attempts continues. A pending delivery is attempted now instead of at `next_attempt_at`; one that has ended starts its schedule again. During an attempt, and within two seconds of the last redelivery, the request has no further effect. Requires the Pro plan.

        Args:
            delivery_id: ID of the delivery.
        """
        return self._transport.json("POST", f"/webhooks/deliveries/{encode_id(delivery_id)}/redeliver", idempotency_key=idempotency_key or new_key())

    def test(self, url: str | t.TestWebhook, *, idempotency_key: str | None = None) -> t.WebhookDelivery:
        """Send a test event.

        Sends a `webhook.test` event to the URL. It is signed, retried and listed among the deliveries like any other. Requires the Pro plan.

        Args:
            url: Public http(s) URL of your receiver.
        """
        return self._transport.json("POST", "/webhooks/test", body=build_body({"url": url}), idempotency_key=idempotency_key or new_key())


class Resources:
    def __init__(self, transport: Transport) -> None:
        self.videos = Videos(transport)
        self.batches = Batches(transport)
        self.library = Library(transport)
        self.chat = Chat(transport)
        self.sources = Sources(transport)
        self.subscriptions = Subscriptions(transport)
        self.feeds = Feeds(transport)
        self.templates = Templates(transport)
        self.tables = Tables(transport)
        self.digests = Digests(transport)
        self.usage = Usage(transport)
        self.webhooks = Webhooks(transport)
