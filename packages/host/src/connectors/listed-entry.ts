// Reads one server of a connector's answer. The answer is not trusted: it may only name the address of a
// server and what to send there. A server that could start a program, read a variable or lead to this machine
// is refused; all other fields are dropped. Pure.

import { isObject, isUrl } from '@plugboard/base';
import { ALL_TRANSPORTS, HEADER_NAME, MAX_MILLISECONDS } from '../config/index.ts';

/** An entry as it would be in a file, without placeholders. */
export interface ListedEntry {
  readonly type?: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly disabled?: boolean;
  readonly timeout?: number;
}

export interface ReadListed {
  /** Absent if the server is refused; then `refusal` has the reason. */
  readonly entry?: ListedEntry;
  /** Continues a sentence that begins with the name of the server: `has a "command"`. */
  readonly refusal?: string;
  /** The keys that were dropped. */
  readonly dropped: readonly string[];
}

export interface ListedOptions {
  /** Whether the connector itself is on this machine: only then may its servers be. */
  readonly from: 'this-machine' | 'afar';
}

/** A list may name any transport with a URL. */
const TRANSPORTS = ALL_TRANSPORTS.filter(({ needs }) => needs === 'url');
const FIELDS = [
  'type',
  'url',
  'headers',
  'disabled',
  'timeout',
] as const satisfies readonly (keyof ListedEntry)[];
/** The last two are not used, and not reported either. */
const KNOWN: ReadonlySet<string> = new Set([...FIELDS, 'name', 'description']);
const MAX_URL_LENGTH = 8192;

export function readListed(value: unknown, options: ListedOptions): ReadListed {
  if (!isObject(value)) return { refusal: 'is not an object', dropped: [] };
  const dropped = Object.keys(value).filter((key) => !KNOWN.has(key));
  const refusal = refusalOf(value, options);
  if (refusal !== undefined) return { refusal, dropped };
  const present = FIELDS.filter((key) => value[key] !== undefined).map((key) => [key, value[key]]);
  // Each field has been checked.
  return { entry: Object.fromEntries(present) as ListedEntry, dropped };
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

/** All our placeholders start with this. A list must not read the user's variables or secrets. */
function hasVariable(text: string): boolean {
  return text.includes('${');
}

function isMilliseconds(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_MILLISECONDS;
}

/** By name or number. Includes link-local addresses, where clouds serve a machine's own credentials. */
export function isThisMachine(hostname: string): boolean {
  return THIS_MACHINE.test(hostname.replace(/\.$/, ''));
}

/** Hosts as `URL` normalizes them: in lower case, IPv4 in four parts, IPv6 shortened in brackets. */
const THIS_MACHINE =
  /^(?:localhost|.+\.localhost|0\.0\.0\.0|127(?:\.\d+){3}|169\.254(?:\.\d+){2}|\[::1?\]|\[fe[89ab][0-9a-f]:.*\]|\[::ffff:(?:7f[0-9a-f]{2}|a9fe|0):[0-9a-f]+\])$/;
