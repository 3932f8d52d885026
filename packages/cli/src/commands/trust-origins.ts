// Where each field of a server is written, by the name that the trust screen uses.

import type { FieldReport, Origin } from '@plugboard/host/configuration';
import { fieldTitle } from '../print/field-value.ts';

export function originsOf(fields: readonly FieldReport[]): ReadonlyMap<string, Origin> {
  return new Map(
    fields.flatMap(({ path, from: [first] }): readonly (readonly [string, Origin])[] =>
      first === undefined ? [] : [[fieldTitle(path), first.origin]],
    ),
  );
}
