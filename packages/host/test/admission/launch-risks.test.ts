import { describe, expect, it } from 'vitest';
import { findInlineCode } from '../../src/admission/inline-code.ts';
import { risksOf } from '../../src/admission/launch-risks.ts';
import { findUnpinned } from '../../src/admission/unpinned-packages.ts';

const words = (line: string): string[] => line.split(' ');

describe('inline code in a command', () => {
  it.each([
    ['bash -c x', 'bash', '-c'],
    ['/bin/bash -lc x', 'bash', '-lc'],
    ['sh -e -c x', 'sh', '-c'],
    ['bash -o pipefail -c x', 'bash', '-c'],
    ['env X=1 zsh -c x', 'zsh', '-c'],
    ['fish --command=x', 'fish', '--command'],
    ['node -e x', 'node', '-e'],
    ['node -pe x', 'node', '-pe'],
    ['node --eval=x', 'node', '--eval'],
    ['node -r ./x -e y', 'node', '-e'],
    ['bun -e x', 'bun', '-e'],
    ['deno eval x', 'deno', 'eval'],
    ['python -c x', 'python', '-c'],
    ['python3.12 -Bc x', 'python3.12', '-Bc'],
    ['python -W ignore -c x', 'python', '-c'],
    ['uv run python -c x', 'python', '-c'],
    ['perl -ne x', 'perl', '-ne'],
    ['ruby -e x', 'ruby', '-e'],
    ['php -r x', 'php', '-r'],
    ['osascript -e x', 'osascript', '-e'],
    ['powershell -Command x', 'powershell', '-Command'],
    ['pwsh.exe -NoProfile -ExecutionPolicy Bypass -enc x', 'pwsh', '-enc'],
    ['powershell.exe -ec x', 'powershell', '-ec'],
    ['C:\\Windows\\System32\\CMD.EXE /d /s /c x', 'cmd', '/c'],
    ['docker run -i image sh -c x', 'sh', '-c'],
    ['npx -c x', 'npx', '-c'],
    ['npm exec -c x', 'npm', '-c'],
  ])('is found in %s', (line, program, flag) => {
    expect(findInlineCode(words(line))).toEqual({ program, flag });
  });

  it.each([
    'bash script.sh -c x',
    'bash /opt/script -c x',
    'node server.js -e production',
    'node --inspect server.js',
    'python -m server -c config.toml',
    'python server.py',
    'perl -MFile::Temp script.pl -e',
    'ruby -rset script.rb',
    'npx -y server -c config.json',
    'pwsh -File server.ps1 -c x',
    'npm run start',
    'server',
  ])('is not found in %s', (line) => {
    expect(findInlineCode(words(line))).toBeUndefined();
  });
});

const COMMIT = 'a'.repeat(40);

describe('an unpinned package in a command', () => {
  it.each([
    ['npx server', 'npx', 'server'],
    ['npx -y @scope/server', 'npx', '@scope/server'],
    ['npx -y server@latest', 'npx', 'server@latest'],
    ['npx server@^1.2.3', 'npx', 'server@^1.2.3'],
    ['npx server@1', 'npx', 'server@1'],
    ['npx server@${VERSION}', 'npx', 'server@${VERSION}'],
    ['npx github:me/server', 'npx', 'github:me/server'],
    ['npx --registry x -y server', 'npx', 'server'],
    ['npx --package=server server-bin', 'npx', 'server'],
    ['npx -p server -- bin@1.0.0', 'npx', 'server'],
    ['cmd /c npx -y server', 'npx', 'server'],
    ['npm exec --yes server', 'npm exec', 'server'],
    ['pnpm dlx server', 'pnpm dlx', 'server'],
    ['yarn dlx -q server', 'yarn dlx', 'server'],
    ['bunx server', 'bunx', 'server'],
    ['bun x server', 'bun x', 'server'],
    ['uvx server', 'uvx', 'server'],
    ['uvx server@latest', 'uvx', 'server@latest'],
    ['uvx --python 3.12 server>=1', 'uvx', 'server>=1'],
    ['uvx --from git+https://x/y server', 'uvx', 'git+https://x/y'],
    ['uvx --with extra server==1.0', 'uvx', 'extra'],
    ['uv tool run server', 'uv tool run', 'server'],
    ['pipx run server', 'pipx run', 'server'],
    ['docker run image', 'docker run', 'image'],
    ['docker run -i --rm -e TOKEN me/image:latest', 'docker run', 'me/image:latest'],
    ['docker run -it -eTOKEN -v /:/x host:5000/image', 'docker run', 'host:5000/image'],
    ['docker --context x run --name=y image', 'docker run', 'image'],
    ['podman container run image:${TAG}', 'podman run', 'image:${TAG}'],
    ['deno run -A npm:server', 'deno run', 'npm:server'],
    ['deno run https://example.com/server.ts', 'deno run', 'https://example.com/server.ts'],
  ])('is found in %s', (line, runner, spec) => {
    expect(findUnpinned(words(line))).toEqual([{ runner, package: spec }]);
  });

  it.each([
    'npx -y server@1.2.3',
    'npx -y @scope/server@1.2.3-rc.1',
    `npx github:me/server#${COMMIT}`,
    'npx ./server',
    'npx -p server@1.2.3 bin',
    'npm run start',
    'npm exec server@1.2.3',
    'uvx server==1.2.3',
    'uvx server[extra]@1.2.3',
    `uvx --from git+https://x/y@${COMMIT} server`,
    'uv run server',
    'docker run -i --rm image:1.2',
    `docker run image@sha256:${'0'.repeat(64)}`,
    'docker ps',
    'deno run server.ts',
    'deno run npm:server@1.2.3/bin',
    'node server.js',
    '',
  ])('is not found in %s', (line) => {
    expect(findUnpinned(words(line))).toEqual([]);
  });
});

describe('the risks of a launch', () => {
  it('are found in every part of it', () => {
    expect(
      risksOf({
        command: 'npx',
        args: ['server', '--key', '${KEY}', 'аdmin'],
        env: { NODE_OPTIONS: '--require ./x', TOKEN: '${secret:gh}${KEY}', GREETING: 'Grüße' },
        envFileValues: { ld_preload: './x.so', NODE_OPTIONS: 'x' },
        cwd: '${HOME:-/}',
        headers: { 'X-Not': '$${NOT}' },
        headersHelper: 'sh -c "print"',
      }),
    ).toEqual([
      { kind: 'inline-code', program: 'sh', flag: '-c' },
      { kind: 'unpinned', runner: 'npx', package: 'server' },
      { kind: 'steering-variable', name: 'ld_preload', value: './x.so' },
      { kind: 'steering-variable', name: 'NODE_OPTIONS', value: '--require ./x' },
      { kind: 'receives', placeholder: '${HOME}', fields: ['cwd'] },
      { kind: 'receives', placeholder: '${KEY}', fields: ['args', 'env.TOKEN'] },
      { kind: 'receives', placeholder: '${secret:gh}', fields: ['env.TOKEN'] },
      { kind: 'odd-characters', field: 'args' },
    ]);
  });

  it.each([
    'NODE_OPTIONS',
    'LD_PRELOAD',
    'DYLD_INSERT_LIBRARIES',
    'PATH',
    'Path',
    'PYTHONPATH',
    'BASH_ENV',
    'GIT_SSH_COMMAND',
    'GIT_CONFIG_COUNT',
    'npm_config_registry',
    'UV_INDEX_URL',
    'https_proxy',
    'NODE_TLS_REJECT_UNAUTHORIZED',
    'XDG_CONFIG_HOME',
    'JAVA_TOOL_OPTIONS',
  ])('are detected in the variable %s', (name) => {
    expect(risksOf({ env: { [name]: 'x' }, headers: {} })).toEqual([
      { kind: 'steering-variable', name, value: 'x' },
    ]);
  });

  it.each(['TOKEN', 'ENV', 'LD_SDK_KEY', 'GIT_AUTHOR_NAME', 'MY_PATH', 'PATHS', 'API_URL'])(
    'are not detected in the variable %s',
    (name) => {
      expect(risksOf({ env: { [name]: 'x' }, headers: {} })).toEqual([]);
    },
  );
});
