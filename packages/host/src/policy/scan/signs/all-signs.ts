// All signs, in the order in which they are searched for.

import { AWAY, BULK, CARRY } from './carry.ts';
import { CONCEAL, COVERT } from './conceal.ts';
import { FOREIGN } from './foreign.ts';
import { HARM } from './harm.ts';
import { OVERRIDE, PROMPT_LEAK, UNLOCK } from './override.ts';
import { ADDRESS, ROLE } from './role.ts';
import type { SignGroup } from './sign.ts';
import { COERCE, DORMANT, PRECEDENCE, RIVAL, STEER } from './steer.ts';

/** Those without which there is no attack. */
export const MAIN_SIGNS: readonly SignGroup[] = [
  OVERRIDE,
  UNLOCK,
  PROMPT_LEAK,
  CONCEAL,
  COVERT,
  ROLE,
  CARRY,
  AWAY,
  STEER,
  PRECEDENCE,
  RIVAL,
  DORMANT,
  HARM,
  FOREIGN,
];

/** Those that only add to others. */
export const SIDE_SIGNS: readonly SignGroup[] = [ADDRESS, BULK, COERCE];
