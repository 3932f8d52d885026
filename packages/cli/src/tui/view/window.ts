// A part of a list that is longer than the space for it, with the selected line in it. The caller shows how many lines
// are left out.

export interface Window<T> {
  readonly shown: readonly T[];
  readonly above: number;
  readonly below: number;
}

/** From `start` on, or from the last place at which the room is filled. */
export function windowFrom<T>(all: readonly T[], start: number, room: number): Window<T> {
  const size = Math.max(0, Math.min(room, all.length));
  const above = Math.min(Math.max(0, start), all.length - size);
  return { shown: all.slice(above, above + size), above, below: all.length - size - above };
}

/** With `focus` in the middle, as far as there is something on both sides. */
export function windowAround<T>(all: readonly T[], focus: number, room: number): Window<T> {
  return windowFrom(all, focus - Math.floor(room / 2), room);
}
