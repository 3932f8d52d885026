// Removes the user's values from a server that would go to a destination which another author chose, until
// the user gives them.

import type { ConfiguredServer } from '../config/index.ts';
import type { Configuration } from '../sources/index.ts';
import { type Handover, handedItems, withheldDiagnostics } from './handover.ts';
import type { TrustSubject } from './trust-subject.ts';

/** `handover` is absent if none of the user's values would go elsewhere. */
export async function curtail(
  server: ConfiguredServer,
  subject: TrustSubject,
  {
    configuration,
    given,
  }: {
    readonly configuration: Pick<Configuration, 'explain' | 'without'>;
    /** The fields that the user has given. */
    readonly given: readonly string[];
  },
): Promise<ConfiguredServer & { readonly handover?: Handover }> {
  const { name, written } = server;
  const fields = configuration.explain(name);
  const items = handedItems(written.kind, fields, given);
  if (items.length === 0) return server;
  const withheld = items.filter(({ isGiven }) => !isGiven);
  const left = withheld.filter(({ isNeeded }) => !isNeeded);
  const rest =
    left.length === 0
      ? { server, fields }
      : await configuration.without(
          name,
          left.map(({ path }) => path),
        );
  const warnings = withheldDiagnostics(name, left);
  const handover = { subject, items, fields: rest.fields, warnings };
  const needed = withheld.filter(({ isNeeded }) => isNeeded);
  if (needed.length === 0) return { ...rest.server, handover };
  const diagnostics = withheldDiagnostics(name, needed);
  return { ...rest.server, resolved: { kind: 'unresolved', diagnostics }, handover };
}
