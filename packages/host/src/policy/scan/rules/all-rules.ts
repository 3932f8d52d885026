import { EXFILTRATION } from './exfiltration.ts';
import { CONCEAL } from './conceal.ts';
import { OVERRIDE } from './override.ts';
import { ROLE } from './role.ts';
import type { Rule } from './rule.ts';
import { STEER } from './steer.ts';

export const RULES: readonly Rule[] = [...OVERRIDE, ...CONCEAL, ...ROLE, ...EXFILTRATION, ...STEER];
