// The answer of a proxy in the server's place: the bytes of one complete HTTP response, after which the connection can
// continue.

import { STATUS_CODES } from 'node:http';

/** A status with a line of text, a web page with 200, or an empty 200. */
export type ProxyAnswer = number | 'html' | 'empty';

const PAGE = '<!doctype html><html><body><h1>Please sign in to this network</h1></body></html>';

export function answerBytes(answer: ProxyAnswer): string {
  if (answer === 'empty') return response(200, '', '');
  if (answer === 'html') return response(200, 'text/html; charset=utf-8', PAGE);
  return response(answer, 'text/plain', `${answer} ${STATUS_CODES[answer] ?? ''}\n`);
}

function response(status: number, contentType: string, body: string): string {
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Unknown'}`,
    ...(contentType === '' ? [] : [`content-type: ${contentType}`]),
    `content-length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}
