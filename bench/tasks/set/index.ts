import type { Task } from '../task.ts';
import { LARGE } from './large.ts';
import { LOOKUPS } from './lookups.ts';
import { LOOPS } from './loops.ts';
import { STEPS } from './steps.ts';

export const TASKS: readonly Task[] = [...LOOKUPS, ...STEPS, ...LOOPS, ...LARGE];
