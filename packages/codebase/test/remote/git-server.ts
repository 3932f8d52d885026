// Serves repositories with git's own HTTP backend on this machine.

import { execFileSync, spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { mkdir, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';

export interface GitServer extends AsyncDisposable {
  /** Host and port, such as `127.0.0.1:4000`. */
  readonly host: string;
  readonly url: string;
  /** The paths of all requests. */
  readonly requests: string[];
  /** Answers instead of git from then on. */
  answerWith(answer: ((response: ServerResponse) => void) | undefined): void;
}

export async function gitServer(folder: string): Promise<GitServer> {
  const requests: string[] = [];
  let own: ((response: ServerResponse) => void) | undefined;
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    if (own !== undefined) own(response);
    else backend(folder, request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: `http://${host}`,
    requests,
    answerWith(answer) {
      own = answer;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function backend(folder: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? '/', 'http://x');
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env['PATH'],
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'],
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'],
      GIT_PROTOCOL: request.headers['git-protocol'] as string | undefined,
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.on('error', () => {});
  request.pipe(child.stdin);
  const pieces: Buffer[] = [];
  child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
  child.on('close', () => {
    const all = Buffer.concat(pieces);
    const end = all.indexOf('\r\n\r\n');
    const heads = all.toString('latin1', 0, end).split('\r\n');
    for (const head of heads) {
      const [name = '', value = ''] = head.split(/: (.*)/s);
      if (name === 'Status') response.statusCode = Number.parseInt(value, 10);
      else if (name !== '') response.setHeader(name, value);
    }
    response.end(all.subarray(end + 4));
  });
}

export function git(folder: string, ...args: readonly string[]): void {
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=a@example.org'];
  execFileSync('git', [...who, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, GIT_CONFIG_NOSYSTEM: '1' },
    stdio: 'ignore',
  });
}

/** Writes files to a repository, and commits them. */
export async function commitFiles(
  folder: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  git(folder, 'init', '--quiet');
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--message', 'Change files');
}
