// A vitest setup file: a test file fails if it leaks processes, timers or handles.

import { afterAll } from 'vitest';
import { checkLeaks } from './leak-check.ts';

const check = checkLeaks();

// Hooks run in reverse order, so this one runs after those of the test file.
afterAll(() => check.finish());
