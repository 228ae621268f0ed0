"""A device with passkeys, without the browser: it makes what a page requests."""

import json
import os
import re
from dataclasses import dataclass, field
from hashlib import sha256
from html import unescape
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from django.http import HttpResponse
from django.test import Client
from fido2.cose import ES256
from fido2.utils import websafe_encode
from fido2.webauthn import (
    AttestationObject,
    AttestedCredentialData,
    AuthenticatorData,
    CollectedClientData,
)

FLAG = AuthenticatorData.FLAG
LIST = "/accounts/2fa/"
ADD = "/accounts/2fa/webauthn/add/"
SIGN_IN = "/accounts/2fa/webauthn/login/"


@dataclass
class Device:
    """A device whose owner has shown that it is them, unless `verified` says otherwise."""

    origin: str = "http://localhost"
    host: str = "localhost"
    verified: bool = True
    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )
    credential: bytes = field(default_factory=lambda: os.urandom(16))
    owner: str = ""

    def make(self, options: dict[str, Any]) -> str:
        """A new passkey, as a page asks for one."""
        asked = options["publicKey"]
        self.owner = asked["user"]["id"]
        public = ES256.from_cryptography_key(self.key.public_key())
        attested = AttestedCredentialData.create(bytes(16), self.credential, public)
        told = self._told("webauthn.create", asked)
        made = AttestationObject.create("none", self._data(FLAG.AT, attested), {})
        return self._answer({"clientDataJSON": told.b64, "attestationObject": websafe_encode(made)})

    def show(self, options: dict[str, Any]) -> str:
        """The passkey, as a page asks for it."""
        told = self._told("webauthn.get", options["publicKey"])
        data = self._data(FLAG(0), b"")
        signature = self.key.sign(data + told.hash, ec.ECDSA(hashes.SHA256()))
        return self._answer(
            {
                "clientDataJSON": told.b64,
                "authenticatorData": websafe_encode(data),
                "signature": websafe_encode(signature),
                "userHandle": self.owner,
            }
        )

    def _told(self, kind: str, asked: dict[str, Any]) -> CollectedClientData:
        return CollectedClientData.create(kind, asked["challenge"], self.origin)

    def _data(self, more: AuthenticatorData.FLAG, attested: bytes) -> AuthenticatorData:
        flags = FLAG.UP | more | (FLAG.UV if self.verified else FLAG(0))
        host = sha256(self.host.encode()).digest()
        return AuthenticatorData.create(host, flags, 0, attested)

    def _answer(self, response: dict[str, str]) -> str:
        known = websafe_encode(self.credential)
        return json.dumps(
            {
                "id": known,
                "rawId": known,
                "type": "public-key",
                "response": response,
                "clientExtensionResults": {"credProps": {"rk": True}},
            }
        )


def asked_on(page: HttpResponse) -> dict[str, Any]:
    """What the script of a page asks the browser for."""
    found = re.search(r'data-options="([^"]*)"', page.content.decode())
    options: dict[str, Any] = json.loads(unescape(found[1]))
    return options


def add(client: Client, device: Device, name: str = "") -> HttpResponse:
    """Add a passkey in a browser that has just given the password."""
    made = device.make(asked_on(client.get(ADD)))
    return client.post(ADD, {"name": name, "credential": made})


def asked_to_sign_in(client: Client) -> dict[str, Any]:
    """What the sign-in page asks for once its button is pressed."""
    told: dict[str, Any] = client.get(SIGN_IN, headers={"Accept": "application/json"}).json()
    return told["request_options"]


def sign_in(client: Client, device: Device, **more: str) -> HttpResponse:
    return client.post(SIGN_IN, {"credential": device.show(asked_to_sign_in(client)), **more})
