// Reads the servers of a connector's answer, and names them `connector:<connector>:<server>`. An invalid
// server does not affect the others; the number of messages about invalid ones is limited. Pure.

import { isObject, isUrl } from '@plugboard/base';
import { type Diagnostic, isNamePart } from '../config/index.ts';
import { connectorDiagnostic, type ConnectorMessage } from './connector-problem.ts';
import type { ConnectorSettings } from './connector-settings.ts';
import { isThisMachine, type ListedEntry, readListed } from './listed-entry.ts';

export interface ConnectorServer {
  /** `connector:<connector>:<server>`. */
  readonly name: string;
  /** The name in the connector's answer. */
  readonly listedAs: string;
  readonly entry: ListedEntry;
}

export interface ReadList {
  readonly servers: readonly ConnectorServer[];
  readonly diagnostics: readonly Diagnostic[];
}

const MAX_SERVERS = 1000;
const MAX_MESSAGES = 20;

/** `undefined` if the answer is not a list at all. */
export function readList(answer: unknown, settings: ConnectorSettings): ReadList | undefined {
  const listed = listedIn(answer);
  if (listed === undefined) return undefined;
  const servers = new Map<string, ConnectorServer>();
  const messages: ConnectorMessage[] = [];
  const from = isLocal(settings) ? 'this-machine' : 'afar';
  for (const { name, value } of listed.slice(0, MAX_SERVERS)) {
    const whole = typeof name === 'string' && isNamePart(name) ? name : undefined;
    if (whole === undefined || servers.has(whole)) {
      messages.push(badName(name, whole === undefined ? 'bad-name' : 'duplicate-key'));
      continue;
    }
    const server = `connector:${settings.name}:${whole}`;
    const { entry, refusal, dropped } = readListed(value, { from });
    if (refusal !== undefined) messages.push(refused(server, refusal));
    if (entry === undefined) continue;
    if (dropped.length > 0) messages.push(leftOut(server, dropped));
    servers.set(whole, { name: server, listedAs: whole, entry });
  }
  if (listed.length > MAX_SERVERS) messages.unshift(tooMany(listed.length));
  return {
    servers: [...servers.values()],
    diagnostics: bounded(messages).map((message) => connectorDiagnostic(settings, message)),
  };
}

function listedIn(
  answer: unknown,
): readonly { readonly name: unknown; readonly value: unknown }[] | undefined {
  if (!isObject(answer)) return undefined;
  const { servers, mcpServers } = answer;
  if (Array.isArray(servers)) {
    return servers.map((value: unknown) => ({
      name: isObject(value) ? value['name'] : undefined,
      value,
    }));
  }
  if (!isObject(mcpServers)) return undefined;
  return Object.entries(mcpServers).map(([name, value]) => ({ name, value }));
}

function isLocal({ url }: ConnectorSettings): boolean {
  return isUrl(url) && isThisMachine(new URL(url).hostname);
}

const TELL_OPERATOR = 'Tell the operator of the connector.';

function badName(name: unknown, code: 'bad-name' | 'duplicate-key'): ConnectorMessage {
  const shown = typeof name === 'string' ? `the name ${printable(name)}` : 'no name';
  const message =
    code === 'bad-name'
      ? `A server is left out: it has ${shown}, where 1 to 64 of A-Z a-z 0-9 _ - are needed.`
      : `A server is left out: another one has ${shown}, too.`;
  return { severity: 'warning', code, message, suggestion: TELL_OPERATOR };
}

function refused(server: string, refusal: string): ConnectorMessage {
  return {
    severity: 'warning',
    code: 'bad-value',
    message: `"${server}" is left out: it ${refusal}.`,
    suggestion: TELL_OPERATOR,
    server,
  };
}

function leftOut(server: string, keys: readonly string[]): ConnectorMessage {
  const shown = keys.slice(0, 5).map(printable).join(', ');
  const more = keys.length > 5 ? ` and ${keys.length - 5} more` : '';
  return {
    severity: 'warning',
    code: 'unused-key',
    message: `A list may not set ${shown}${more}, so "${server}" goes without.`,
    suggestion: 'Write the server into a file of yours if you want that.',
    server,
  };
}

function tooMany(count: number): ConnectorMessage {
  return {
    severity: 'warning',
    code: 'bad-value',
    message: `It lists ${count} servers, of which the first ${MAX_SERVERS} count.`,
    suggestion: TELL_OPERATOR,
  };
}

function bounded(messages: readonly ConnectorMessage[]): readonly ConnectorMessage[] {
  if (messages.length <= MAX_MESSAGES) return messages;
  const rest = messages.length - MAX_MESSAGES;
  const message = `There are ${rest} more complaints about what it lists.`;
  return [
    ...messages.slice(0, MAX_MESSAGES),
    { severity: 'warning', code: 'bad-value', message, suggestion: TELL_OPERATOR },
  ];
}

/** Makes untrusted text safe for a terminal. */
function printable(text: string): string {
  return `"${text.slice(0, 80).replaceAll(/[^\x20-\x7e]|["\\]/g, '?')}${text.length > 80 ? '…' : ''}"`;
}
