import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SignedSlots } from '../../src/store/embedded/signed-slots.ts';

const signature = (number: number): Uint8Array =>
  createHash('sha256').update(String(number)).digest().subarray(0, 12);

describe('the slots of signatures', () => {
  it('are found by their signatures, after thousands were added and removed', () => {
    const slots = new SignedSlots();
    for (let number = 0; number < 5000; number += 1)
      slots.add(number, signature(number), number + 1);
    for (let number = 0; number < 5000; number += 2) slots.delete(number);
    // A free slot is reused.
    for (let number = 0; number < 5000; number += 2) slots.add(number, signature(number + 5000), 7);
    expect(slots.size).toBe(5000);
    const missed = Array.from({ length: 10_000 }, (_, number) => number).filter((number) => {
      const wanted = number < 5000 ? (number % 2 === 1 ? number : undefined) : number - 5000;
      const expected = number >= 5000 && number % 2 === 1 ? undefined : wanted;
      return slots.find(signature(number)) !== expected;
    });
    expect(missed).toEqual([]);
    expect([slots.placeOf(1), slots.placeOf(2)]).toEqual([2, 7]);
    expect(slots.signatureOf(2)).toEqual(new Uint8Array(signature(5002)));
  });

  it('are found among those that begin with the same bytes', () => {
    const alike = (last: number): Uint8Array => new Uint8Array(12).fill(last, 11);
    const slots = new SignedSlots();
    for (let number = 0; number < 50; number += 1) slots.add(number, alike(number), 0);
    slots.delete(10);
    expect(slots.find(alike(10))).toBeUndefined();
    expect(slots.find(alike(49))).toBe(49);
    const several = Buffer.concat([alike(3), alike(4)]);
    expect([slots.find(several, 0), slots.find(several, 1)]).toEqual([3, 4]);
  });

  it('behave like a map, whatever is added, removed and counted', () => {
    const step = fc.record({
      kind: fc.constantFrom('add', 'delete', 'count'),
      number: fc.integer({ min: 0, max: 30 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const slots = new SignedSlots();
        const model = new Map<number, number>();
        for (const { kind, number } of steps) {
          if (kind === 'add' && !model.has(number)) {
            slots.add(number, signature(number), number);
            model.set(number, 0);
          } else if (kind === 'delete' && model.delete(number)) slots.delete(number);
          else if (kind === 'count' && model.has(number)) {
            const users = (model.get(number) ?? 0) + 1;
            model.set(number, users);
            expect(slots.count(number, 1)).toBe(users);
          }
        }
        expect(new Set(slots.slots())).toEqual(new Set(model.keys()));
        for (let number = 0; number <= 30; number += 1) {
          expect(slots.find(signature(number))).toBe(model.has(number) ? number : undefined);
        }
      }),
    );
  });
});
