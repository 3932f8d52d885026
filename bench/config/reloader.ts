// Follows the configuration of one folder: loads it again whenever one of its files changes, and says
// which configuration counts now.

import { hostEnvironment, loadConfig, watchFiles } from '@plugboard/host/configuration';

export interface Reloader extends Disposable {
  /** How often it was loaded since the start. */
  readonly reloads: number;
  /** Resolves when what counts is a server `probe` that is started by this command. */
  applied(command: string): Promise<void>;
}

export async function startReloader(cwd: string, home: string): Promise<Reloader> {
  const found = hostEnvironment();
  const paths = { ...found.paths, home, config: `${home}/config/plugboard` };
  const environment = { ...found, cwd, home, paths };
  const load = () => loadConfig({ environment, enterprise: [] });
  const { files } = await load();
  const waiting = new Map<string, () => void>();
  let reloads = 0;
  const watch = watchFiles(
    files.map(({ path }) => path),
    { onChange: () => void reload() },
  );
  // A watch does not keep a process alive, and this one has nothing else to wait for.
  const alive = setInterval(() => {}, 1000);
  await watch.ready;

  async function reload(): Promise<void> {
    reloads += 1;
    const { servers } = await load();
    const probe = servers.find(({ name }) => name === 'probe')?.written;
    if (probe?.kind === 'stdio') waiting.get(probe.command)?.();
  }

  return {
    get reloads() {
      return reloads;
    },
    applied: (command) => new Promise((resolve) => void waiting.set(command, resolve)),
    [Symbol.dispose]() {
      clearInterval(alive);
      watch[Symbol.dispose]();
    },
  };
}
