// The visible part of a list that is longer than the room for it. The caller shows how many lines are left out.

export interface Window<T> {
  readonly shown: readonly T[];
  readonly above: number;
  readonly below: number;
}

/** Begins at `start`, or earlier if the room would not be filled. */
export function windowFrom<T>(all: readonly T[], start: number, room: number): Window<T> {
  const size = Math.max(0, Math.min(room, all.length));
  const above = Math.min(Math.max(0, start), all.length - size);
  return { shown: all.slice(above, above + size), above, below: all.length - size - above };
}

/** Has `focus` in the middle, unless that is near an end of the list. */
export function windowAround<T>(all: readonly T[], focus: number, room: number): Window<T> {
  return windowFrom(all, focus - Math.floor(room / 2), room);
}
