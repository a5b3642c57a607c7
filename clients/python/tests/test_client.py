from __future__ import annotations

import io
import os
import unittest
from unittest.mock import patch

from subtext import Subtext, SubtextError

from .service import ServiceTest, data, failure, reset, text

JOB = {"job_id": "job-1", "status": "queued"}
DONE = {"job_id": "job-1", "status": "completed"}


class Requests(ServiceTest):
    def test_a_submission_carries_the_key_the_body_and_an_idempotency_key(self) -> None:
        job = self.serve(data(JOB)).videos.submit("https://youtu.be/x", options={"summary_modes": []})
        [request] = self.requests
        self.assertEqual(job, JOB)
        self.assertEqual((request.method, request.path), ("POST", "/api/v1/videos/process"))
        self.assertEqual(request.json, {"url": "https://youtu.be/x", "options": {"summary_modes": []}})
        self.assertEqual(request.headers["Authorization"], "Bearer sk_test")
        self.assertRegex(request.headers["Idempotency-Key"], r"^[0-9a-f]{32}$")

    def test_a_body_can_be_given_as_a_whole(self) -> None:
        client = self.serve(data(JOB))
        client.videos.submit({"url": "x", "priority": "high"}, service_name="tests")
        client.batches.submit({"source": {"source_id": "s"}})
        client.batches.submit([{"url": "x"}])
        bodies = [request.json for request in self.requests]
        self.assertEqual(bodies[0], {"url": "x", "priority": "high", "service_name": "tests"})
        self.assertEqual(bodies[1:], [{"source": {"source_id": "s"}}, {"videos": [{"url": "x"}]}])

    def test_none_is_sent_where_it_has_a_meaning(self) -> None:
        client = self.serve(data(JOB))
        client.videos.submit("x", use_proxy=None, service_name=None)
        client.videos.submit("x")
        self.assertEqual([request.json for request in self.requests], [{"url": "x", "use_proxy": None}, {"url": "x"}])

    def test_reserved_words_and_booleans_become_what_the_api_expects(self) -> None:
        client = self.serve(data({"hits": [], "pagination": {}}), data({"videos": [], "pagination": {}}))
        list(client.library.search("soil", from_="2026-01-01"))
        list(client.sources.videos("s", not_processed=True))
        self.assertEqual(self.requests[0].query, {"q": "soil", "from": "2026-01-01"})
        self.assertEqual(self.requests[1].query, {"not_processed": "true"})

    def test_documents_are_text_and_files_are_bytes(self) -> None:
        client = self.serve(text("# Title é", **{"Content-Type": "text/markdown; charset=utf-8"}), text("%PDF"))
        self.assertEqual(client.videos.document("job-1", "markdown"), "# Title é")
        self.assertEqual(client.videos.export_pdf("job-1", transcript=False), b"%PDF")
        self.assertEqual([request.query for request in self.requests], [{"format": "markdown"}, {"transcript": "false"}])

    def test_a_file_is_sent_as_a_form_with_the_other_fields(self) -> None:
        client = self.serve(reset, data(JOB))
        client.videos.import_file(("talk.srt", io.BytesIO(b"1\n00:00")), speakers=["Ana"], title="Talk")
        bodies = [request.body for request in self.requests]
        self.assertEqual(len(bodies), 2)
        for part in (b'name="file"; filename="talk.srt"', b"1\n00:00", b'["Ana"]', b'name="title"\r\n\r\nTalk'):
            self.assertIn(part, bodies[1])
        self.assertIn("multipart/form-data; boundary=", self.requests[1].headers["Content-Type"])

    def test_an_id_cannot_lead_to_another_path(self) -> None:
        client = self.serve(data(DONE))
        client.videos.status("a/../b?c")
        self.assertEqual(self.requests[0].path, "/api/v1/videos/status/a%2F..%2Fb%3Fc")
        for identifier in ("", ".", "..", None):
            with self.assertRaises(SubtextError):
                client.videos.status(identifier)  # type: ignore[arg-type]
        self.assertEqual(len(self.requests), 1)


class Errors(ServiceTest):
    def test_an_error_says_everything_that_the_api_said(self) -> None:
        client = self.serve(failure(409, "JOB_NOT_COMPLETED", retryable=True, details={"status": "queued"}))
        with self.assertRaises(SubtextError) as caught:
            client.videos.result("job-1")
        error = caught.exception
        self.assertEqual((error.status, error.code, error.retryable), (409, "JOB_NOT_COMPLETED", True))
        self.assertEqual((error.request_id, error.job_id), ("request-1", "job-1"))
        self.assertEqual(error.details, {"status": "queued"})
        self.assertEqual(str(error), "JOB_NOT_COMPLETED: Message of JOB_NOT_COMPLETED.")
        self.assertEqual(len(self.requests), 1)

    def test_failures_that_can_pass_are_retried_with_the_same_idempotency_key(self) -> None:
        busy = failure(503, "SERVICE_UNAVAILABLE", retryable=True, headers={"Retry-After": "2"})
        job = self.serve(reset, busy, text("Bad gateway", 502), data(JOB)).videos.submit("x")
        self.assertEqual(job, JOB)
        self.assertEqual(len(self.requests), 4)
        self.assertEqual(len({request.headers["Idempotency-Key"] for request in self.requests}), 1)
        self.assertTrue(2.5 <= self.pauses[1] <= 3)

    def test_retries_end(self) -> None:
        with self.assertRaises(SubtextError) as caught:
            self.serve(reset, max_retries=2).usage.current()
        self.assertEqual((caught.exception.code, caught.exception.status), ("CONNECTION_ERROR", 0))
        self.assertEqual(len(self.requests), 3)

    def test_what_cannot_pass_is_not_retried(self) -> None:
        longer = failure(429, "QUOTA_EXCEEDED", retryable=True, headers={"Retry-After": "3600"})
        for responder in (failure(400, "VALIDATION_ERROR", retryable=False), longer):
            self.requests.clear()
            with self.assertRaises(SubtextError):
                self.serve(responder).videos.submit("x")
            self.assertEqual(len(self.requests), 1)

    def test_what_is_not_the_api_is_named(self) -> None:
        for responder in (text("<html>"), text("<html>", 404), text("", 302, Location="http://127.0.0.1:1/")):
            self.requests.clear()
            with self.assertRaises(SubtextError) as caught:
                self.serve(responder).usage.current()
            self.assertEqual(caught.exception.code, "INVALID_RESPONSE")
            self.assertIn("base URL", caught.exception.message)

    def test_a_response_that_takes_too_long_is_an_error(self) -> None:
        import threading

        ended = threading.Event()
        self.addCleanup(ended.set)
        with self.assertRaises(SubtextError) as caught:
            self.serve(lambda handler: ended.wait(5), timeout=0.2, max_retries=0).usage.current()
        self.assertEqual((caught.exception.code, caught.exception.retryable), ("TIMEOUT", True))


class Lists(ServiceTest):
    def test_a_list_reads_all_pages_and_no_page_before_it_is_needed(self) -> None:
        pages = [
            data({"jobs": [{"job_id": "1"}, {"job_id": "2"}], "pagination": {"next_cursor": "next"}}),
            data({"jobs": [{"job_id": "3"}], "pagination": {"next_cursor": None}}),
        ]
        jobs = iter(self.serve(*pages).videos.list(status="completed"))
        self.assertEqual([next(jobs)["job_id"], next(jobs)["job_id"], len(self.requests)], ["1", "2", 1])
        self.assertEqual([job["job_id"] for job in jobs], ["3"])
        self.assertEqual(self.requests[0].query, {"status": "completed"})
        self.assertEqual(self.requests[1].query, {"status": "completed", "cursor": "next"})

    def test_a_page_can_be_read_alone(self) -> None:
        client = self.serve(data({"batches": [], "pagination": {"total": 0}}))
        self.assertEqual(client.batches.list().page("c").pagination, {"total": 0})
        self.assertEqual(self.requests[0].query, {"cursor": "c"})


class Waiting(ServiceTest):
    def test_processing_submits_waits_and_returns_the_result(self) -> None:
        running = {**JOB, "status": "processing"}
        seen: list[str] = []
        client = self.serve(data(JOB), data(running), reset, data(DONE), data({"summaries": {}}))
        result = client.videos.process("x", format="json", priority="high", on_progress=lambda job: seen.append(job["status"]))
        self.assertEqual(result, {"summaries": {}})
        self.assertEqual(seen, ["processing", "completed"])
        self.assertEqual(self.requests[0].json, {"url": "x", "priority": "high"})
        self.assertEqual(self.requests[1].query, {"wait": "30"})
        self.assertEqual((self.requests[-1].path, self.requests[-1].query), ("/api/v1/videos/result/job-1", {"format": "json"}))

    def test_a_job_that_failed_raises_its_own_error(self) -> None:
        failed = data({**JOB, "status": "failed"})
        client = self.serve(data(JOB), failed, failure(422, "AGE_RESTRICTED", retryable=False))
        with self.assertRaises(SubtextError) as caught:
            client.videos.process("x")
        self.assertEqual((caught.exception.code, caught.exception.job_id), ("AGE_RESTRICTED", "job-1"))

    def test_waiting_ends_with_the_id_of_the_job(self) -> None:
        with self.assertRaises(SubtextError) as caught:
            self.serve(data(JOB)).videos.wait("job-1", timeout=0)
        self.assertEqual((caught.exception.code, caught.exception.job_id), ("TIMEOUT", "job-1"))

    def test_an_error_that_cannot_pass_ends_the_waiting(self) -> None:
        with self.assertRaises(SubtextError) as caught:
            self.serve(failure(404, "NOT_FOUND", retryable=False)).videos.wait("job-1")
        self.assertEqual((caught.exception.code, len(self.requests)), ("NOT_FOUND", 1))

    def test_batches_and_sources_can_be_waited_for(self) -> None:
        client = self.serve(data({"status": "processing"}), data({"status": "completed"}), data({"status": "ready"}))
        self.assertEqual(client.batches.wait("b"), {"status": "completed"})
        self.assertEqual(client.sources.wait("s"), {"status": "ready"})


class Options(unittest.TestCase):
    def test_the_key_and_the_address_come_from_the_environment(self) -> None:
        with patch.dict(os.environ, {"SUBTEXT_API_KEY": "", "SERVICE_API_KEY": "sk_1", "SUBTEXT_API_BASE": "http://h/x/"}):
            with Subtext() as client:
                transport = client.usage._transport
        self.assertEqual(transport._base_url, "http://h/x/api/v1")
        self.assertEqual(transport._headers["Authorization"], "Bearer sk_1")

    def test_options_that_cannot_work_are_refused_and_not_repeated(self) -> None:
        wrong = [("", "http://h"), ("sk_é", "http://h"), ("sk", "ftp://h"), ("sk", "http://u:secret@h"), ("sk", "http://h?secret")]
        with patch.dict(os.environ, {"SUBTEXT_API_KEY": "", "SERVICE_API_KEY": ""}):
            for key, base in wrong:
                with self.assertRaises(SubtextError) as caught:
                    Subtext(key, base)
                self.assertNotIn("secret", str(caught.exception))
