// Encodes where the next page of a list starts as an opaque cursor. The cursor contains the name of its list, so that it is
// refused for another one. Pure.

import { err, ok, type Result } from '@plugboard/base';

export function cursorAt(list: string, position: number): string {
  return Buffer.from(`${position} ${list}`).toString('base64url');
}

export function positionOf(cursor: string | undefined, list: string): Result<number, string> {
  if (cursor === undefined) return ok(0);
  const text = Buffer.from(cursor.slice(0, 16_384), 'base64url').toString('utf8');
  const space = text.indexOf(' ');
  const position = Number(text.slice(0, space));
  const isOfList = space > 0 && text.slice(space + 1) === list;
  if (isOfList && Number.isSafeInteger(position) && position >= 0) return ok(position);
  return err('the cursor does not belong to this request; leave it out to begin anew');
}
