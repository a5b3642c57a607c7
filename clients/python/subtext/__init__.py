"""Client of the Subtext API: transcripts and summaries of public videos."""

from ._client import Subtext
from ._errors import SubtextError
from ._pages import Page, Pages
from ._resource import OMIT
from ._webhooks import verify_webhook

__all__ = ["OMIT", "Page", "Pages", "Subtext", "SubtextError", "verify_webhook"]
