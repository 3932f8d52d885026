// Creates, uses and closes a host many times: neither the heap nor the active resources may grow.

import { SideProcess } from '../measure/side-process.ts';
import { figure, type Figure, noneOf, type Section } from '../measure/report.ts';
import { sandbox } from '../measure/sandbox.ts';
import type { CycleRoute, Footprint } from './cycling-hosts.ts';
import type { CycleServer, CycleUrl } from './cycle-server.ts';

const CYCLES = 1000;
/** Unmeasured repetitions before, while the heap still grows by compiled code. */
const WARM_UPS = 1000;
const MAX_GROWTH_PERCENT = 5;

const ROUTES = [
  { name: 'in process', eras: undefined },
  { name: 'HTTP, legacy era', eras: ['legacy'] },
  { name: 'HTTP, modern era', eras: ['modern'] },
] as const;

export async function benchmarkCycles(): Promise<readonly Section[]> {
  using box = sandbox({});
  const { env } = box;
  const rows: Figure[] = [];
  for (const { name, eras } of ROUTES) {
    console.error(`bench: connecting and closing ${CYCLES} times, ${name} ...`);
    await using server = await SideProcess.start<CycleServer, CycleUrl>('connect/cycle-server.ts', {
      env,
    });
    const route: CycleRoute =
      eras === undefined
        ? { kind: 'in-process' }
        : { kind: 'http', url: (await server.ask({ eras })).url };
    rows.push(...(await measure(name, route, env)));
  }
  return [{ kind: 'figures', title: `cycles: connect, call, close, ${CYCLES} times`, rows }];
}

async function measure(
  name: string,
  route: CycleRoute,
  env: NodeJS.ProcessEnv,
): Promise<readonly Figure[]> {
  await using hosts = await SideProcess.start<{ cycles: number; route: CycleRoute }, Footprint>(
    'connect/cycling-hosts.ts',
    { env, flags: ['--expose-gc'] },
  );
  const start = await hosts.ask({ cycles: WARM_UPS, route });
  const end = await hosts.ask({ cycles: CYCLES, route });
  return [
    figure({
      name: `${name}: growth of the heap`,
      value: (end.heapBytes / start.heapBytes - 1) * 100,
      unit: '%',
      target: { kind: 'at-most', value: MAX_GROWTH_PERCENT },
      note: `${megabytes(start.heapBytes)} at the start, ${megabytes(end.heapBytes)} at the end`,
    }),
    noneOf(
      `${name}: more handles than before`,
      Math.max(0, end.handles.length - start.handles.length),
      `${start.handles.length} at the start, ${end.handles.length} at the end`,
    ),
  ];
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(2)} MB`;
}
