// Parses a setting that is one of several kinds, such as a service on the network, with an address and the variable that holds
// its key. Each mistake is a sentence that begins with the name of the setting. Pure.

import { isLoopback } from './is-loopback.ts';
import { isUrl } from './is-url.ts';
import { isObject } from './json.ts';
import { err, ok, type Result } from './result.ts';

interface SettingKind {
  readonly fields: readonly string[];
  /** A sentence on each mistake in its fields. */
  readonly problems?: (fields: Record<string, unknown>) => readonly string[];
}

/** `problems` must check the type of each field. A text is a kind without fields. */
export function parseKind<Settings extends { readonly kind: string }>(
  setting: string,
  value: unknown,
  kinds: Readonly<Record<Settings['kind'], SettingKind>>,
): Result<Settings, readonly string[]> {
  const names = Object.keys(kinds)
    .map((kind) => `"${kind}"`)
    .join(', ');
  const fields = typeof value === 'string' ? { kind: value } : value;
  if (!isObject(fields)) return err([`${setting} must be an object with a "kind" (${names})`]);
  const { kind } = fields;
  if (typeof kind !== 'string' || !Object.hasOwn(kinds, kind)) {
    return err([`${setting}.kind must be one of ${names}`]);
  }
  const { fields: known, problems: problemsOf } = kinds[kind as Settings['kind']];
  const has = known.length === 0 ? 'has no other fields' : `has ${known.join(', ')}`;
  const unknown = Object.keys(fields).filter((name) => name !== 'kind' && !known.includes(name));
  const problems = [
    ...unknown.map((name) => `${setting}.${name.slice(0, 40)} is unknown; "${kind}" ${has}`),
    ...(problemsOf?.(fields) ?? []),
  ];
  return problems.length > 0 ? err(problems) : ok({ ...fields } as unknown as Settings);
}

/** Mistakes in the addresses of a service and in the name of the variable that holds its key. */
export function endpointProblems(
  setting: string,
  { urls, keyVariable }: { readonly urls: readonly unknown[]; readonly keyVariable?: unknown },
): readonly string[] {
  const ofUrls = urls.flatMap((url) => {
    const problems = urlProblems(setting, url);
    if (problems.length > 0 || keyVariable === undefined) return problems;
    return keyUrlProblems(setting, url);
  });
  return [...new Set(ofUrls), ...keyVariableProblems(setting, keyVariable)];
}

function urlProblems(setting: string, value: unknown): readonly string[] {
  const url = urlOf(value);
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    return [`${setting}.url must be an address that begins with https:// or http://`];
  }
  if (url.username !== '' || url.password !== '') {
    return [`${setting}.url must not hold a password; fix: name a variable in apiKeyVariable`];
  }
  if (url.search !== '' || url.hash !== '') {
    return [`${setting}.url must not have a part after "?" or "#"`];
  }
  return [];
}

/** Of an address to which a key is sent. */
function keyUrlProblems(setting: string, value: unknown): readonly string[] {
  const url = urlOf(value);
  if (url?.protocol !== 'http:' || isLoopback(url.hostname)) return [];
  return [
    `${setting}.url must begin with https:// when apiKeyVariable is set, or anyone on the way can read the key`,
  ];
}

function keyVariableProblems(setting: string, variable: unknown): readonly string[] {
  const isName = typeof variable === 'string' && /^[A-Za-z_]\w*$/.test(variable);
  if (variable === undefined || isName) return [];
  return [`${setting}.apiKeyVariable must be the name of a variable, not the key itself`];
}

function urlOf(value: unknown): URL | undefined {
  return typeof value === 'string' && isUrl(value) ? new URL(value) : undefined;
}
