// Runs a few tasks of the benchmark, to check that servers, searches and scripts still match its data.

import { expect, test } from 'vitest';
import { measureTasks } from '../../bench/tasks.ts';
import { TASKS } from '../../bench/tasks/set/index.ts';

test('there are thirty tasks: ten with one server, ten with five, ten among many', () => {
  const sizes = TASKS.map(({ setUp }) => (setUp === 'five' || setUp === 'many' ? setUp : 'one'));
  const count = (size: string): number => sizes.filter((each) => each === size).length;
  expect([count('one'), count('five'), count('many')]).toEqual([10, 10, 10]);
  expect(new Set(TASKS.map(({ name }) => name)).size).toBe(30);
});

test('a task is carried out in every way, and each request counts all that stands in it', async () => {
  const names = new Set(['what is known of Ada', 'remember a colleague', 'errors by hour']);
  const tasks = TASKS.filter(({ name }) => names.has(name));
  const measured = await measureTasks(tasks, undefined);
  expect(
    measured.map(({ task, costs: { direct, search, code } }) => [
      task.name,
      direct.requests,
      search.requests,
      code.requests,
    ]),
  ).toEqual([
    ['what is known of Ada', 2, 3, 3],
    ['remember a colleague', 4, 5, 3],
    ['errors by hour', 2, 3, 5],
  ]);
  for (const { costs } of measured) {
    for (const { inputTokens, cachedTokens, definitionTokens, requests } of Object.values(costs)) {
      expect(inputTokens).toBeGreaterThan(definitionTokens * requests);
      expect(cachedTokens).toBeLessThan(inputTokens);
      expect(cachedTokens).toBeGreaterThan(definitionTokens);
    }
  }
  const large = measured.at(-1)?.costs;
  expect(large?.code.inputTokens).toBeLessThan(large?.search.inputTokens ?? 0);
});
