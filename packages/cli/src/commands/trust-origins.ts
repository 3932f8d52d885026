// Where each field of a server is written, by the name that the trust screen uses.

import type { FieldReport, Origin } from '@plugboard/host/configuration';
import { fieldTitle } from '../print/field-value.ts';

export function originsOf(fields: readonly FieldReport[]): ReadonlyMap<string, Origin> {
  return new Map(
    fields.flatMap(({ path, from, lost }): readonly (readonly [string, Origin])[] => {
      // What is withheld is shown as well: it is what the question is about.
      const [first] = [...from, ...lost.filter(({ why }) => why === 'withheld')];
      return first === undefined ? [] : [[fieldTitle(path), first.origin]];
    }),
  );
}
