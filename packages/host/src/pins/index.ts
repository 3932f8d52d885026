export type { DefinitionChange } from './definition-diff.ts';
export type { PinnedDefinition } from './definition-hash.ts';
export type { PinMode } from './judge-list.ts';
export { type PinProblem, PinStore } from './pin-store.ts';
export { type PinSubject, pinSubjectOf } from './pin-subject.ts';
export type { Quarantined, QuarantineReason } from './quarantine.ts';
export { instructionsDefinition, type PinStanding, ServerPins } from './server-pins.ts';
export { forgetPins, storedPins } from './stored-pins.ts';
