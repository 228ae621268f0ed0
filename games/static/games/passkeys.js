// Passkeys: asks the browser to make one or to show one, and sends the form with its answer.

const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (one) => one.charCodeAt(0));
const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
const withBytes = (keys) => keys?.map((key) => ({ ...key, id: bytes(key.id) }));

function asked({ publicKey }) {
  const wanted = { ...publicKey, challenge: bytes(publicKey.challenge) };
  if (wanted.user) wanted.user = { ...wanted.user, id: bytes(wanted.user.id) };
  if (wanted.excludeCredentials) wanted.excludeCredentials = withBytes(wanted.excludeCredentials);
  if (wanted.allowCredentials) wanted.allowCredentials = withBytes(wanted.allowCredentials);
  return { publicKey: wanted };
}

function answer(made) {
  const response = {};
  for (const name of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]) {
    if (made.response[name]) response[name] = text(made.response[name]);
  }
  if (made.response.getTransports) response.transports = made.response.getTransports();
  return {
    id: made.id, rawId: text(made.rawId), type: made.type, response,
    authenticatorAttachment: made.authenticatorAttachment,
    clientExtensionResults: made.getClientExtensionResults(),
  };
}

async function options(form) {
  if (form.dataset.options) return JSON.parse(form.dataset.options);
  const told = await fetch(form.action, { headers: { Accept: "application/json" } });
  if (!told.ok) throw new Error(told.status);
  return (await told.json()).request_options;
}

function explain(form, error) {
  if (error.name === "NotAllowedError") return form.dataset.cancelled;
  if (error.name === "InvalidStateError") return form.dataset.known || form.dataset.failed;
  return form.dataset.failed;
}

for (const form of document.querySelectorAll("[data-passkey]")) {
  if (!window.PublicKeyCredential) {
    form.querySelector(".unsupported").textContent = form.dataset.unsupported;
    continue;
  }
  const button = form.querySelector("button");
  const said = form.querySelector("[role=status]");
  button.hidden = false;
  form.querySelector(".unsupported").hidden = true;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    said.textContent = "";
    try {
      const wanted = asked(await options(form));
      const made = await navigator.credentials[form.dataset.passkey](wanted);
      form.elements.credential.value = JSON.stringify(answer(made));
      form.submit();
    } catch (error) {
      said.textContent = explain(form, error);
      button.disabled = false;
    }
  });
}
