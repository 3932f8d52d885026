// A process that only holds an open index, or nothing; reports its memory.

const [folder] = process.argv.slice(2);
if (folder !== undefined) {
  const { openStore } = await import('@plugboard/codebase');
  const opened = await openStore({ kind: 'embedded' }, { folder, rootId: 'bench' });
  const store = opened.value;
  await store.state('bench');
  const vector = Float32Array.from({ length: 384 }, () => Math.sqrt(1 / 384));
  for (let times = 0; times < 20; times += 1) {
    await store.lexical([{ term: 'ba', weight: 1 }], 100);
    await store.dense('bench', vector, 100);
  }
}
globalThis.gc?.();
await new Promise((resolve) => setTimeout(resolve, 1000));
globalThis.gc?.();
process.stdout.write(String(process.memoryUsage().rss));
process.exit(0);
