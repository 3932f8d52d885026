// The pages for a person in a browser: plain forms whose buttons a test can press.

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><link rel="icon" href="data:,"><title>${escapeHtml(title)}</title></head>
<body><main><h1>${escapeHtml(title)}</h1>${body}</main></body>
</html>
`;
}

export interface ConsentPage {
  readonly client: string;
  readonly account: string;
  readonly scopes: readonly string[];
  readonly resource: string | undefined;
  readonly action: string;
  /** Identifies the request that the form decides. */
  readonly ticket: string;
}

export function consentPage(shown: ConsentPage): string {
  const scopes = shown.scopes.map((scope) => `<li>${escapeHtml(scope)}</li>`).join('');
  const target = shown.resource === undefined ? '' : `<p>At ${escapeHtml(shown.resource)}</p>`;
  const body = `<p>Signed in as ${escapeHtml(shown.account)}</p>${target}<ul>${scopes}</ul>`;
  const fields = `<input type="hidden" name="ticket" value="${escapeHtml(shown.ticket)}">`;
  return page(`Allow ${shown.client}?`, body + decisionForm(shown.action, fields));
}

export function devicePage(action: string, userCode: string): string {
  const value = escapeHtml(userCode);
  const fields = `<label>Code <input name="user_code" value="${value}" required></label>`;
  return page('Connect a device', decisionForm(action, fields));
}

export function messagePage(title: string, message: string): string {
  return page(title, `<p>${escapeHtml(message)}</p>`);
}

function decisionForm(action: string, fields: string): string {
  const button = (value: string, text: string): string =>
    `<button name="decision" value="${value}">${text}</button>`;
  const buttons = `${button('allow', 'Allow')}${button('deny', 'Deny')}`;
  return `<form method="post" action="${escapeHtml(action)}">${fields}${buttons}</form>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
