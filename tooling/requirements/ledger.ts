// The ledger of requirements: the ids in docs/requirements.md, those that tests claim, and the text for both. Pure.

import { splitAtMarks, writeMarkedPart } from '../source/marked-part.ts';
import { argumentsOf } from '../source/syntax.ts';

export interface Requirement {
  readonly id: string;
  readonly section: string;
}

export interface Claim {
  /** `undefined` if a test computes the id, which the ledger cannot read. */
  readonly id: string | undefined;
  readonly file: string;
}

export interface Section {
  readonly name: string;
  readonly claimed: readonly string[];
  readonly unclaimed: readonly string[];
}

export interface Ledger {
  readonly sections: readonly Section[];
  /** Claimed ids in the order of the document, each with the files that claim it. */
  readonly claims: readonly { readonly id: string; readonly files: readonly string[] }[];
  /** Claims of ids that the document does not name. */
  readonly unknown: readonly Claim[];
}

const MARK = 'claims';
const ROW = /^\| ([A-Z]{3}-(?:\d{2}|UI)) \|/;

/** The ids in the tables of the document, in order, without the generated part. */
export function readRequirements(document: string): Requirement[] {
  const requirements: Requirement[] = [];
  let section = '';
  for (const line of splitAtMarks(document, MARK).before.split('\n')) {
    if (line.startsWith('## ')) section = line.slice(3).trim();
    const id = ROW.exec(line)?.[1];
    if (id !== undefined) requirements.push({ id, section });
  }
  return requirements;
}

/** The claims of one test file. */
export function claimsIn(file: string, source: string): Claim[] {
  return argumentsOf('verifies', source).map((id) => ({ id, file }));
}

export function takeStock(requirements: readonly Requirement[], claims: readonly Claim[]): Ledger {
  const known = new Set(requirements.map(({ id }) => id));
  const filesOf = (id: string): string[] =>
    [...new Set(claims.filter((claim) => claim.id === id).map(({ file }) => file))].toSorted();
  const stock = requirements.map((requirement) => ({
    ...requirement,
    files: filesOf(requirement.id),
  }));
  const names = [...new Set(requirements.map(({ section }) => section))];
  return {
    sections: names.map((name) => {
      const rows = stock.filter(({ section }) => section === name);
      return {
        name,
        claimed: rows.filter(({ files }) => files.length > 0).map(({ id }) => id),
        unclaimed: rows.filter(({ files }) => files.length === 0).map(({ id }) => id),
      };
    }),
    claims: stock.filter(({ files }) => files.length > 0).map(({ id, files }) => ({ id, files })),
    unknown: claims.filter(({ id }) => id === undefined || !known.has(id)),
  };
}

/** The document with an updated generated part. */
export function writeClaims(document: string, ledger: Ledger): string {
  const rows = ledger.claims.map(
    ({ id, files }) => `| ${id} | ${files.map((file) => `\`${file}\``).join('<br>')} |`,
  );
  return writeMarkedPart(document, MARK, ['| id | tests |', '|---|---|', ...rows].join('\n'));
}

/** What `npm run requirements` prints. */
export function describeLedger({ sections, unknown }: Ledger): string {
  const width = Math.max(...sections.map(({ name }) => name.length));
  const lines = sections.map(({ name, claimed, unclaimed }) => {
    const total = claimed.length + unclaimed.length;
    const count = `${claimed.length} of ${total}`.padStart(8);
    const missing = unclaimed.length === 0 ? '' : `   no test: ${unclaimed.join(' ')}`;
    return `${name.padEnd(width)}  ${count}${missing}`;
  });
  const claimed = sections.reduce((sum, section) => sum + section.claimed.length, 0);
  const total = sections.reduce((sum, section) => sum + section.unclaimed.length, claimed);
  const complaints = unknown.map(({ id, file }) =>
    id === undefined
      ? `${file}: an id given to verifies() is not a string literal`
      : `${file}: verifies('${id}') names no requirement`,
  );
  return [
    ...lines,
    `${claimed} of ${total} requirements are claimed by a test`,
    ...complaints,
  ].join('\n');
}
