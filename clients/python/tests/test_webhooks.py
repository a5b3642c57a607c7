from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
import unittest

from subtext import SubtextError, verify_webhook

KEY = b"a secret of at least 24 bytes"
SECRET = "whsec_" + base64.b64encode(KEY).decode()
BODY = json.dumps({"id": "evt_1", "event": "webhook.test", "data": {"text": "é"}}, ensure_ascii=False).encode()


def sign(body: bytes, *, age: float = 0, key: bytes = KEY) -> dict[str, str]:
    timestamp = str(int(time.time() - age))
    signature = hmac.new(key, f"msg_1.{timestamp}.".encode() + body, hashlib.sha256).digest()
    signatures = f"v1,{base64.b64encode(b'old').decode()} v1,{base64.b64encode(signature).decode()}"
    return {"Webhook-Id": "msg_1", "Webhook-Timestamp": timestamp, "Webhook-Signature": signatures}


class VerifyWebhook(unittest.TestCase):
    def test_a_genuine_delivery_is_returned_as_its_event(self) -> None:
        self.assertEqual(verify_webhook(BODY, sign(BODY), SECRET)["event"], "webhook.test")
        self.assertEqual(verify_webhook(BODY.decode(), sign(BODY), SECRET)["id"], "evt_1")

    def test_everything_else_is_refused(self) -> None:
        headers = sign(BODY)
        cases = {
            "another body": (BODY + b" ", headers, SECRET),
            "another secret": (BODY, sign(BODY, key=b"another"), SECRET),
            "an old attempt": (BODY, sign(BODY, age=301), SECRET),
            "an attempt of the future": (BODY, sign(BODY, age=-310), SECRET),
            "no time": (BODY, {**headers, "Webhook-Timestamp": "nan"}, SECRET),
            "a missing header": (BODY, {"Webhook-Id": "msg_1"}, SECRET),
            "no headers": (BODY, None, SECRET),
            "no secret": (BODY, headers, ""),
            "a secret of another form": (BODY, headers, "sk_1"),
            "a signature that is no ASCII": (BODY, {**headers, "Webhook-Signature": "v1,é"}, SECRET),
        }
        for name, arguments in cases.items():
            with self.subTest(name), self.assertRaises(SubtextError) as caught:
                verify_webhook(*arguments)  # type: ignore[arg-type]
            self.assertEqual(caught.exception.code, "INVALID_SIGNATURE")

    def test_the_tolerance_can_be_changed(self) -> None:
        self.assertEqual(verify_webhook(BODY, sign(BODY, age=1_000), SECRET, tolerance=2_000)["id"], "evt_1")
