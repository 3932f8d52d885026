// Maps signatures to the slots of their vectors, with the place of each on the disk and the number of its chunks. Kept in
// typed arrays: a large tree has hundreds of thousands, and objects would take several times as much memory.

import { SIGNATURE_BYTES } from '../port/file-record.ts';

const NONE = -1;
const REMOVED = -2;
const FEWEST = 1024;

export class SignedSlots {
  /** These three are indexed by slot. */
  #signatures = new Uint8Array(FEWEST * SIGNATURE_BYTES);
  #places = new Int32Array(FEWEST);
  #users = new Uint32Array(FEWEST);
  /** A hash table of slots with linear probing, keyed by the beginning of signatures; at least half of it is free. */
  #table = new Int32Array(FEWEST * 4).fill(NONE);
  #taken = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The slot of the signature with a number in `packed`; `undefined` if there is none. */
  find(packed: Uint8Array, number = 0): number | undefined {
    const from = number * SIGNATURE_BYTES;
    const mask = this.#table.length - 1;
    for (let at = startOf(packed, from) & mask; ; at = (at + 1) & mask) {
      const slot = this.#table[at] ?? NONE;
      if (slot === NONE) return undefined;
      if (slot !== REMOVED && this.#has(slot, packed, from)) return slot;
    }
  }

  /** `signature` must not have a slot, nor `slot` a signature. */
  add(slot: number, signature: Uint8Array, place: number): void {
    this.#makeRoomFor(slot);
    this.#signatures.set(signature, slot * SIGNATURE_BYTES);
    this.#places[slot] = place;
    this.#users[slot] = 0;
    this.#size += 1;
    this.#place(slot);
    if (this.#taken * 2 > this.#table.length) this.#rebuild();
  }

  delete(slot: number): void {
    const mask = this.#table.length - 1;
    const from = slot * SIGNATURE_BYTES;
    for (let at = startOf(this.#signatures, from) & mask; ; at = (at + 1) & mask) {
      const other = this.#table[at] ?? NONE;
      if (other === NONE) return;
      if (other !== slot) continue;
      this.#table[at] = REMOVED;
      this.#size -= 1;
      return;
    }
  }

  signatureOf(slot: number): Uint8Array {
    return this.#signatures.slice(slot * SIGNATURE_BYTES, (slot + 1) * SIGNATURE_BYTES);
  }

  /** Negative if the vector is not on the disk. */
  placeOf(slot: number): number {
    return this.#places[slot] ?? NONE;
  }

  setPlace(slot: number, place: number): void {
    this.#places[slot] = place;
  }

  /** Changes the number of chunks of a slot, and returns it. */
  count(slot: number, by: 1 | -1): number {
    const users = (this.#users[slot] ?? 0) + by;
    this.#users[slot] = users;
    return users;
  }

  *slots(): Generator<number> {
    for (const slot of this.#table) if (slot >= 0) yield slot;
  }

  #has(slot: number, packed: Uint8Array, from: number): boolean {
    const own = slot * SIGNATURE_BYTES;
    for (let at = 0; at < SIGNATURE_BYTES; at += 1) {
      if (this.#signatures[own + at] !== packed[from + at]) return false;
    }
    return true;
  }

  #place(slot: number): void {
    const mask = this.#table.length - 1;
    let at = startOf(this.#signatures, slot * SIGNATURE_BYTES) & mask;
    while ((this.#table[at] ?? NONE) !== NONE) at = (at + 1) & mask;
    this.#table[at] = slot;
    this.#taken += 1;
  }

  /** Rebuilds the table without removed slots, and enlarges it if that is not enough. */
  #rebuild(): void {
    const before = this.#table;
    const isFull = this.#size * 3 > before.length;
    this.#table = new Int32Array(isFull ? before.length * 2 : before.length).fill(NONE);
    this.#taken = 0;
    for (const slot of before) if (slot >= 0) this.#place(slot);
  }

  #makeRoomFor(slot: number): void {
    if (slot < this.#places.length) return;
    const length = Math.max(slot + 1, Math.ceil(this.#places.length * 1.5));
    this.#signatures = copied(new Uint8Array(length * SIGNATURE_BYTES), this.#signatures);
    this.#places = copied(new Int32Array(length), this.#places);
    this.#users = copied(new Uint32Array(length), this.#users);
  }
}

function copied<T extends Uint8Array | Int32Array | Uint32Array>(to: T, from: T): T {
  to.set(from);
  return to;
}

/** Signatures are hashes, so any four of their bytes serve as a hash. */
function startOf(packed: Uint8Array, from: number): number {
  return (
    ((packed[from] ?? 0) |
      ((packed[from + 1] ?? 0) << 8) |
      ((packed[from + 2] ?? 0) << 16) |
      ((packed[from + 3] ?? 0) << 24)) >>>
    0
  );
}
