// Checks a legacy server's answer to `initialize`.

import { err, isObject, ok, type Result } from '@plugboard/base';

type Fields = Readonly<Record<string, unknown>>;

export interface LegacyHandshake {
  readonly protocolVersion: string;
  readonly capabilities: Fields;
  readonly serverInfo: Fields & { readonly name: string; readonly version: string };
  readonly instructions: string | undefined;
}

export const LATEST_LEGACY = '2025-11-25';

const LEGACY_REVISIONS: ReadonlySet<string> = new Set([
  LATEST_LEGACY,
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
]);

export function readHandshake(result: unknown): Result<LegacyHandshake, string> {
  if (!isObject(result)) return err('the result is not an object');
  const { protocolVersion, capabilities, serverInfo, instructions } = result;
  if (typeof protocolVersion !== 'string') return err('`protocolVersion` is not text');
  if (!LEGACY_REVISIONS.has(protocolVersion)) {
    return err(`the revision "${protocolVersion.slice(0, 40)}" is not known`);
  }
  if (!isObject(capabilities)) return err('`capabilities` is not an object');
  if (!isIdentity(serverInfo)) return err('`serverInfo` has no name or no version');
  if (instructions !== undefined && typeof instructions !== 'string') {
    return err('`instructions` is not text');
  }
  return ok({ protocolVersion, capabilities, serverInfo, instructions });
}

function isIdentity(info: unknown): info is LegacyHandshake['serverInfo'] {
  return isObject(info) && typeof info['name'] === 'string' && typeof info['version'] === 'string';
}
