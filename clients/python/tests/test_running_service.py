"""Against a running service, if `SUBTEXT_API_KEY` and `SUBTEXT_TEST_VIDEO` are set."""

from __future__ import annotations

import os
import unittest

from subtext import Subtext, SubtextError

VIDEO = os.environ.get("SUBTEXT_TEST_VIDEO", "")


@unittest.skipUnless(VIDEO, "needs a running service")
class RunningService(unittest.TestCase):
    def setUp(self) -> None:
        self.client = Subtext()
        self.addCleanup(self.client.close)

    def test_a_video_is_processed_listed_found_and_deleted(self) -> None:
        videos = self.client.videos
        result = videos.process(VIDEO, options={"summary_modes": ["tldr"]}, format="json", timeout=300)
        job_id = result["job_id"]
        self.assertTrue(result["summaries"]["tldr"]["citations"])
        self.assertIn(job_id, [job["job_id"] for job in videos.list(limit=1)])
        self.assertIn(result["video_info"]["title"], videos.document(job_id, "markdown"))
        word = max(result["transcript"]["segments"][0]["text"].split(), key=len)
        self.assertTrue([hit for hit in self.client.library.search(word) if hit["job_id"] == job_id])
        self.assertEqual(videos.receipt(job_id)["job_id"], job_id)
        videos.delete(job_id)
        with self.assertRaises(SubtextError) as caught:
            videos.status(job_id)
        self.assertEqual((caught.exception.code, caught.exception.status), ("NOT_FOUND", 404))
        self.assertTrue(caught.exception.request_id)

    def test_captions_are_imported_from_a_file(self) -> None:
        captions = "1\n00:00:01,000 --> 00:00:03,000\nGood morning, héron.\n".encode("latin-1")
        job = self.client.videos.import_file(("meeting.srt", captions), options={"summary_modes": []})
        self.assertEqual(self.client.videos.wait(job["job_id"], timeout=300)["status"], "completed")
        result = self.client.videos.result(job["job_id"])
        self.assertIn("héron", result["transcript"]["text"])

    def test_a_wrong_body_is_an_error_with_the_place(self) -> None:
        with self.assertRaises(SubtextError) as caught:
            self.client.videos.submit({"url": VIDEO, "unknown": 1})  # type: ignore[typeddict-unknown-key]
        self.assertEqual(caught.exception.code, "VALIDATION_ERROR")
        self.assertEqual(caught.exception.details["issues"][0]["path"], "unknown")
