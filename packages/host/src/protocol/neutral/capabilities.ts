// What a host says that servers may ask of it.

import type { InboundPort } from './inbound.ts';

export const ELICITATION = { elicitation: { form: {}, url: {} } } as const;
/** With tools, and without anything of what else goes on in the conversation. */
export const SAMPLING_CAPABILITY = { sampling: { tools: {} } };
export const ROOTS_CAPABILITY = { roots: { listChanged: true } };

/** Of a host that has answers to some of it. */
export function capabilitiesOf({ elicit, sample, roots }: InboundPort): Record<string, object> {
  return {
    ...(elicit === undefined ? {} : ELICITATION),
    ...(sample === undefined ? {} : SAMPLING_CAPABILITY),
    ...(roots === undefined ? {} : ROOTS_CAPABILITY),
  };
}
