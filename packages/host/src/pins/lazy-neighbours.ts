// The tools of other servers, collected when the first definition is scanned.

import type { PinNeighbours } from './pin-neighbours.ts';
import type { PinStore } from './pin-store.ts';
import type { PinSubject } from './pin-subject.ts';

export function pinNeighbours(
  store: PinStore,
  subjects: () => readonly PinSubject[],
): PinNeighbours['of'] {
  let making: Promise<PinNeighbours> | undefined;
  const make = async (): Promise<PinNeighbours> => {
    const { PinNeighbours: Made } = await import('./pin-neighbours.ts');
    return new Made(store, subjects);
  };
  return async (subject, tools) => {
    making ??= make();
    return (await making).of(subject, tools);
  };
}
