"""A small client of the Muster API. It needs nothing but Python 3.9 or later."""

import json
import os
import random
import re
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid


class MusterProblem(Exception):
    """Why a request failed. `code` identifies the problem for programs."""

    def __init__(self, status, body):
        self.status = status
        self.code = body.get("code") or body.get("error") or ""
        self.details = body
        super().__init__(f"{body.get('detail') or body.get('error_description') or status} ({self.code})")


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """The service does not redirect, and a redirect would take the token to another server."""

    def redirect_request(self, *_):
        return None


_opener = urllib.request.build_opener(_NoRedirects)

# Far more than the largest page of a list.
_MAX_ANSWER_BYTES = 64 * 1024 * 1024


def _require_secure(address):
    url = urllib.parse.urlsplit(address)
    is_loopback = re.fullmatch(r"localhost|127(\.\d+){3}|::1", url.hostname or "") is not None
    if url.scheme != "https" and not (url.scheme == "http" and is_loopback):
        raise ValueError(f"{address} is not encrypted: everybody in the network could read the secret. Use https.")


class Muster:
    """Calls the API with client credentials, renews the token, and repeats what is safe to repeat."""

    def __init__(self, address=None, client_id=None, client_secret=None, deadline=120):
        self.address = (address or os.environ["MUSTER_URL"]).rstrip("/")
        _require_secure(self.address)
        self.client_id = client_id or os.environ["MUSTER_CLIENT_ID"]
        self.client_secret = client_secret or os.environ["MUSTER_CLIENT_SECRET"]
        self.deadline = deadline
        self._token, self._expires = None, 0.0

    def get(self, path, **query):
        return self.call("GET", path, query=query)[0]

    def post(self, path, body=None, **query):
        return self.call("POST", path, body, query)[0]

    def pages(self, path, **query):
        """All items of a list, page by page."""
        while True:
            answer, headers = self.call("GET", path, query=query)
            yield from answer["items"]
            link = re.search(r'<([^>]+)>; rel="next"', headers.get("Link") or "")
            if not link:
                return
            query = urllib.parse.parse_qs(urllib.parse.urlsplit(link[1]).query)

    def call(self, method, path, body=None, query=None, headers=None):
        """Sends a request. Returns the answer and its headers; a failure is a MusterProblem."""
        url = f"{self.address}{path}"
        if query:
            url += "?" + urllib.parse.urlencode(query, doseq=True)
        headers = dict(headers or {})
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            headers["Content-Type"] = "application/json"
        if method == "POST":
            # A repetition with the same key changes nothing.
            headers.setdefault("Idempotency-Key", str(uuid.uuid4()))
        repeatable = method == "GET" or "Idempotency-Key" in headers or "If-Match" in headers
        end = time.monotonic() + self.deadline
        attempt, renewed = 0, False
        while True:
            headers["Authorization"] = f"Bearer {self._access_token()}"
            try:
                return self._send(method, url, data, headers)
            except MusterProblem as problem:
                if problem.status == 401 and not renewed:
                    self._token, renewed = None, True
                    continue
                wait = float(problem.details.get("retryAfter") or min(10, 0.25 * 2**attempt) * random.uniform(0.5, 1))
                is_temporary = problem.status == 429 or (repeatable and problem.status in (0, 502, 503, 504))
                if not is_temporary or time.monotonic() + wait >= end:
                    raise
            time.sleep(wait)
            attempt += 1

    def _access_token(self):
        if self._token is None or time.monotonic() > self._expires:
            form = {"grant_type": "client_credentials", "client_id": self.client_id, "client_secret": self.client_secret}
            data = urllib.parse.urlencode(form).encode()
            answer, _ = self._send("POST", f"{self.address}/api/auth/token", data, {})
            self._token = answer["access_token"]
            self._expires = time.monotonic() + answer["expires_in"] - 30
        return self._token

    @staticmethod
    def _send(method, url, data, headers):
        request = urllib.request.Request(url, data, headers, method=method)
        try:
            with _opener.open(request, timeout=60) as response:
                text = response.read(_MAX_ANSWER_BYTES + 1)
                if len(text) > _MAX_ANSWER_BYTES:
                    raise MusterProblem(response.status, {"code": "InvalidAnswer", "detail": f"{url} sends too much."})
                return (json.loads(text) if text else None), response.headers
        except urllib.error.HTTPError as error:
            try:
                body = dict(json.loads(error.read(_MAX_ANSWER_BYTES)))
            except (TypeError, ValueError):
                body = {"detail": error.reason}
            if error.headers.get("Retry-After"):
                body["retryAfter"] = error.headers["Retry-After"]
            raise MusterProblem(error.code, body) from None
        except OSError as error:
            raise MusterProblem(0, {"code": "ServiceUnreachable", "detail": f"Cannot reach {url}: {error}"}) from error
