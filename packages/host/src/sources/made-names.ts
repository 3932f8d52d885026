// Derives valid names for servers in files that are shared with other programs, which accept spaces and other
// characters. Pure and deterministic: a derived name is never that of another server, and one written name in
// several files is one server.

import {
  checkName,
  type Claim,
  type Diagnostic,
  isDefinition,
  plainName,
  shorten,
} from '../config/index.ts';
import { byPlace, type Source } from './source.ts';

/** Renames the servers with invalid names. `given`: claims that are not from these sources. */
export function withMadeNames(
  sources: readonly Source[],
  given: readonly Claim[],
): readonly Source[] {
  const claims = sources.flatMap((source) => source.claims);
  const nameless = new Set(claims.filter(needsName).map(({ name }) => name));
  if (nameless.size === 0) return sources;
  const taken = takenBy(sources, given);
  const names = new Map<string, string>();
  const numbers = new Map<string, number>();
  for (const written of [...nameless].toSorted()) {
    const name = freeName(written, taken, numbers);
    taken.add(name);
    names.set(written, name);
  }
  return sources.map((source) => renamed(source, names));
}

function needsName({ isUnnamed }: Claim): boolean {
  return isUnnamed === true;
}

/**
 * The names of all definitions. In a file with an invalid name, also all other names of that file, since two
 * entries of one file are two servers.
 */
function takenBy(sources: readonly Source[], given: readonly Claim[]): Set<string> {
  const named = sources.flatMap(({ claims }) => {
    const isMixed = claims.some(needsName);
    return claims.filter((claim) => !needsName(claim) && (isMixed || isDefinition(claim)));
  });
  return new Set([...named, ...given].map(({ name }) => name));
}

/** `numbers`: the last number for each base, since very many names of a file may have the same base. */
function freeName(
  written: string,
  taken: ReadonlySet<string>,
  numbers: Map<string, number>,
): string {
  const plain = plainName(written) || 'server';
  const base = checkName(plain) === undefined ? plain : `my-${plain}`.slice(0, 64);
  if (!taken.has(base)) return base;
  const short = base.slice(0, 56);
  for (let number = (numbers.get(short) ?? 1) + 1; ; number += 1) {
    const name = `${short}-${number}`;
    if (taken.has(name)) continue;
    numbers.set(short, number);
    return name;
  }
}

function renamed(source: Source, names: ReadonlyMap<string, string>): Source {
  if (!source.claims.some(needsName)) return source;
  const isOf = ({ server }: Diagnostic): boolean => server !== undefined && names.has(server);
  const notices = source.claims.filter(needsName).map((claim) => notice(claim, names));
  return {
    ...source,
    claims: source.claims.map((claim) => (needsName(claim) ? renamedClaim(claim, names) : claim)),
    diagnostics: [
      ...notices,
      ...source.diagnostics.map((diagnostic) =>
        isOf(diagnostic) ? moved(diagnostic, names) : diagnostic,
      ),
    ].toSorted(byPlace),
  };
}

function renamedClaim(claim: Claim, names: ReadonlyMap<string, string>): Claim {
  const name = names.get(claim.name) ?? claim.name;
  return {
    ...claim,
    name,
    writtenAs: claim.name,
    place: { ...claim.place, server: name },
    diagnostics: claim.diagnostics.map((diagnostic) => moved(diagnostic, names)),
  };
}

function moved(diagnostic: Diagnostic, names: ReadonlyMap<string, string>): Diagnostic {
  const server = names.get(diagnostic.server ?? '') ?? diagnostic.server;
  return server === undefined ? diagnostic : { ...diagnostic, server };
}

function notice({ name, place }: Claim, names: ReadonlyMap<string, string>): Diagnostic {
  const made = names.get(name) ?? '';
  return {
    severity: 'warning',
    code: 'bad-name',
    message: `${JSON.stringify(shorten(name))} cannot be the name of a server here, so it is called "${made}".`,
    suggestion: `Use "${made}" in commands and settings, or rename it in the file.`,
    ...place.keyAt([]),
    server: made,
  };
}
