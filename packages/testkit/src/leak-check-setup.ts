// A vitest setup file: every test file that it is set up for fails when it leaves something behind.

import { afterAll } from 'vitest';
import { checkLeaks } from './leak-check.ts';

const check = checkLeaks();

// Hooks run last in, first out: this one comes after all that the test file registers.
afterAll(() => check.finish());
