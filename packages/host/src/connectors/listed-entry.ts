// One server out of a connector's answer. The answer is not trusted: it may name where a server is and
// what to send there, and nothing else. What could start a program, read a variable or lead to this
// machine is refused; what else it says is left out. Pure.

import { isObject, isUrl } from '@plugboard/base';
import { ALL_TRANSPORTS, HEADER_NAME, MAX_MILLISECONDS } from '../config/index.ts';

/** As it would stand in a file, with no placeholder anywhere. */
export interface ListedEntry {
  readonly type?: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly disabled?: boolean;
  readonly timeout?: number;
}

export interface ReadListed {
  /** Absent where it was refused; then `refusal` says why. */
  readonly entry?: ListedEntry;
  /** Reads on after the name of the server: "has a "command"". */
  readonly refusal?: string;
  /** Keys that are not taken over. */
  readonly dropped: readonly string[];
}

export interface ListedOptions {
  /** Whether the connector itself is on this machine: only then may its servers be. */
  readonly from: 'this-machine' | 'afar';
}

/** A list may name any transport that reaches a server by its url. */
const TRANSPORTS = ALL_TRANSPORTS.filter(({ needs }) => needs === 'url');
const TAKEN: ReadonlySet<string> = new Set(['type', 'url', 'headers', 'disabled', 'timeout']);
/** Known fields that we do not use. */
const PASSED_OVER: ReadonlySet<string> = new Set(['name', 'description']);
const MAX_URL_LENGTH = 8192;

export function readListed(value: unknown, options: ListedOptions): ReadListed {
  if (!isObject(value)) return { refusal: 'is not an object', dropped: [] };
  const dropped = Object.keys(value).filter((key) => !TAKEN.has(key) && !PASSED_OVER.has(key));
  const refusal = refusalOf(value, options);
  if (refusal !== undefined) return { refusal, dropped };
  const { type, url, headers, disabled, timeout } = value;
  const given = { type, url, headers, disabled, timeout };
  const present = Object.entries(given).filter(([, field]) => field !== undefined);
  // Each field was looked at above.
  return { entry: Object.fromEntries(present) as unknown as ListedEntry, dropped };
}

function refusalOf(value: Record<string, unknown>, options: ListedOptions): string | undefined {
  const { type, url, headers, disabled, timeout } = value;
  if (value['command'] !== undefined) return 'has a "command", and a list may start nothing';
  const transport = TRANSPORTS.find(({ types, isImplied }) =>
    type === undefined ? isImplied : types.some((known) => known === type),
  );
  if (transport === undefined) return `has a "type" that is not ${WRITTEN_TYPES}`;
  return (
    urlRefusal(url, transport.schemes.toReversed(), options) ??
    headersRefusal(headers) ??
    (disabled === undefined || typeof disabled === 'boolean'
      ? undefined
      : 'has a "disabled" that is not true or false') ??
    (timeout === undefined || isMilliseconds(timeout)
      ? undefined
      : 'has a "timeout" that is not a number of milliseconds')
  );
}

/** `"http", "sse" or "ws"` */
const WRITTEN_TYPES = TRANSPORTS.flatMap(({ types: [type] }) =>
  type === undefined ? [] : `"${type}"`,
)
  .join(', ')
  .replace(/, (?=[^,]*$)/, ' or ');

function urlRefusal(
  url: unknown,
  schemes: readonly string[],
  { from }: ListedOptions,
): string | undefined {
  if (typeof url !== 'string') return 'has no "url"';
  if (hasVariable(url)) return 'has a variable in its "url"';
  if (url.length > MAX_URL_LENGTH || !isUrl(url)) return 'has a "url" that is not complete';
  const { protocol, hostname, username, password } = new URL(url);
  if (!schemes.includes(protocol)) {
    return `has a "url" that does not start with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`;
  }
  if (username !== '' || password !== '') return 'has a user name or a password in its "url"';
  if (from === 'afar' && isThisMachine(hostname)) {
    return 'has a "url" that leads to this machine, which a list from elsewhere may not name';
  }
  return undefined;
}

function headersRefusal(headers: unknown): string | undefined {
  if (headers === undefined) return undefined;
  if (!isObject(headers)) return 'has "headers" that are not an object of texts';
  for (const [name, text] of Object.entries(headers)) {
    if (!HEADER_NAME.test(name)) return 'has "headers" with a name that HTTP does not allow';
    if (typeof text !== 'string') return 'has "headers" that are not an object of texts';
    if (hasVariable(text)) return 'has a variable in its "headers"';
    if (!HEADER_VALUE.test(text)) return 'has "headers" with a text that HTTP does not allow';
  }
  return undefined;
}

/** https://www.rfc-editor.org/rfc/rfc9110#section-5.5 */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Our placeholders all start so. A list must not read this user's variables or secrets. */
function hasVariable(text: string): boolean {
  return text.includes('${');
}

function isMilliseconds(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_MILLISECONDS;
}

/** By name or number, including those of the link, where a cloud keeps a machine's own credentials. */
export function isThisMachine(hostname: string): boolean {
  return THIS_MACHINE.test(hostname.replace(/\.$/, ''));
}

/** As `URL` writes hosts: in lower case, numbers of IPv4 in four parts, IPv6 shortened in brackets. */
const THIS_MACHINE =
  /^(?:localhost|.+\.localhost|0\.0\.0\.0|127(?:\.\d+){3}|169\.254(?:\.\d+){2}|\[::1?\]|\[fe[89ab][0-9a-f]:.*\]|\[::ffff:(?:7f[0-9a-f]{2}|a9fe|0):[0-9a-f]+\])$/;
