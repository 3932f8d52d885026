// The cost of ten thousand tools of two hundred servers for a host that knows them from an earlier run: to load them
// and look up their pins, to find one, and to decide about a call.

import { SERVERS, TOOLS_OF_EACH } from './catalog/made-tools.ts';
import type { CatalogFigures, CatalogQuestion } from './catalog/worker.ts';
import { figure, type Figure, type Section } from './measure/report.ts';
import { sandbox } from './measure/sandbox.ts';
import { SideProcess } from './measure/side-process.ts';
import { spreadOf } from './measure/statistics.ts';

const DEFAULT_ROUNDS = 10;
const MOST = { buildMs: 300, heapMb: 60, decisionUs: 20, nameUs: 1 } as const;

export async function benchmarkCatalog(repeats: number | undefined): Promise<readonly Section[]> {
  const rounds = repeats ?? DEFAULT_ROUNDS;
  using box = sandbox({});
  await using servers = await SideProcess.start<object, number>('catalog/tool-servers.ts');
  const port = await servers.ask({});
  const ask = async (kind: CatalogQuestion['kind']): Promise<CatalogFigures | undefined> => {
    await using side = await SideProcess.start<CatalogQuestion, CatalogFigures | undefined>(
      'catalog/worker.ts',
      { env: box.env, flags: ['--expose-gc'] },
    );
    return await side.ask({ kind, port });
  };
  console.error(`bench: listing ${SERVERS} servers once ...`);
  await ask('list');
  console.error(`bench: starting ${rounds} hosts that know them ...`);
  const found: CatalogFigures[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const figures = await ask('measure');
    if (figures !== undefined) found.push(figures);
  }
  const rows = [
    least('host.tools(), in a new process', 'ms', { key: 'buildMs', found }),
    least('heap above that of the idle host', 'MB', { key: 'heapMb', found }),
    least('a call that the last of 200 rules denies', 'µs', { key: 'decisionUs', found }),
    least('a name resolved', 'µs', { key: 'nameUs', found }),
  ];
  const title = `catalog: ${SERVERS * TOOLS_OF_EACH} tools of ${SERVERS} servers`;
  return [{ kind: 'figures', title, rows }];
}

/** The targets are absolute, and other load can only add time. */
function least(
  name: string,
  unit: string,
  of: { readonly key: keyof CatalogFigures; readonly found: readonly CatalogFigures[] },
): Figure {
  const values = of.found.map((figures) => figures[of.key]);
  return figure({
    name,
    value: Math.min(...values),
    unit,
    target: { kind: 'at-most', value: MOST[of.key] },
    note: `median ${spreadOf(values).median.toFixed(2)} of ${values.length}`,
  });
}
