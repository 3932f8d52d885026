// The folder for the servers of a task, always with the same files, repository and graph.

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PEOPLE = ['Ada', 'Bea', 'Cem', 'Dag', 'Eva', 'Fin', 'Gus', 'Hal'] as const;
const MODULES = ['parse', 'print', 'store', 'fetch', 'retry', 'queue', 'cache', 'route'] as const;
const NOTES = 12;
const LOG_LINES = 700;
const ORDERS = 600;
const COMMITS = 24;

export interface TaskPlace {
  /** The folder that servers may read. */
  readonly folder: string;
  readonly graph: string;
  /** The state of the host. */
  readonly state: string;
}

export function makePlace(parent: string): TaskPlace {
  const folder = join(parent, 'work');
  const graph = join(parent, 'graph.jsonl');
  for (const inner of ['notes', 'drafts', 'archive', 'logs', 'data', 'src', 'repo/src']) {
    mkdirSync(join(folder, inner), { recursive: true });
  }
  const write = (path: string, lines: readonly string[]): void =>
    writeFileSync(join(folder, path), `${lines.join('\n')}\n`);
  write('package.json', [
    '{',
    '  "name": "demo",',
    '  "version": "3.4.1",',
    '  "private": true',
    '}',
  ]);
  for (let note = 1; note <= NOTES; note += 1) write(`notes/meeting-${note}.md`, noteLines(note));
  for (const [at, person] of PEOPLE.entries()) {
    write(`drafts/${person.toLowerCase()}.md`, [`# ${person}`, '', `Draft number ${at}.`]);
  }
  write('logs/app.log', logLines());
  write('data/orders.csv', ['order,customer,cents', ...orderLines()]);
  for (const [at, module] of MODULES.entries()) write(`src/${module}.js`, moduleLines(module, at));
  writeFileSync(graph, graphLines().join('\n'));
  makeRepository(join(folder, 'repo'));
  return { folder, graph, state: join(parent, 'state') };
}

function noteLines(note: number): readonly string[] {
  const person = PEOPLE[note % PEOPLE.length];
  const other = PEOPLE[(note + 3) % PEOPLE.length];
  return [
    `# Meeting ${note}`,
    '',
    `${person} and ${other} went through what was left of last time, and through the plan for the coming two weeks.`,
    'The release stays where it is. What is not ready by then goes into the one after it, as always.',
    '',
    ...Array.from(
      { length: 12 },
      (_, at) =>
        `- ${MODULES[(note + at) % MODULES.length]} was looked at again, item ${at} of the list, with nothing new to be said about it.`,
    ),
    '',
    `- [ ] ${person}: write down how ${MODULES[note % MODULES.length]} fails (due in week ${note})`,
    `- [x] ${other}: ask about the budget`,
  ];
}

function logLines(): readonly string[] {
  return Array.from({ length: LOG_LINES }, (_, at) => {
    const hour = String(Math.floor((at * 24) / LOG_LINES)).padStart(2, '0');
    const level = at % 37 === 0 ? 'ERROR' : at % 11 === 0 ? 'WARN' : 'INFO';
    const module = MODULES[at % MODULES.length];
    return `2026-11-14T${hour}:${String((at * 7) % 60).padStart(2, '0')}:00Z ${level} ${module} request ${1000 + at} took ${(at * 13) % 400} ms`;
  });
}

function orderLines(): readonly string[] {
  return Array.from({ length: ORDERS }, (_, at) =>
    [10_000 + at, PEOPLE[(at * 5) % PEOPLE.length], 500 + ((at * 791) % 9000)].join(','),
  );
}

function moduleLines(module: string, at: number): readonly string[] {
  return [
    `// ${module}: one of the parts.`,
    ...Array.from(
      { length: 8 + at * 3 },
      (_, line) => `export const ${module}${line} = (value) => value + ${line};`,
    ),
  ];
}

function graphLines(): readonly string[] {
  const people = PEOPLE.map((name, at) => ({
    type: 'entity',
    name,
    entityType: 'person',
    observations: [
      `works on ${MODULES[at]}`,
      `joined in ${2015 + at}`,
      'likes to be asked in writing',
    ],
  }));
  const parts = MODULES.map((name, at) => ({
    type: 'entity',
    name,
    entityType: 'module',
    observations: [`has ${8 + at * 3} functions`, 'is covered by tests'],
  }));
  const relations = PEOPLE.flatMap((from, at) =>
    MODULES.filter((_, module) => (module * 3 + at) % 4 === 0).map((to) => ({
      type: 'relation',
      from,
      to,
      relationType: 'owns',
    })),
  );
  return [...people, ...parts, ...relations].map((each) => JSON.stringify(each));
}

/** Makes commits with stable hashes. */
function makeRepository(folder: string): void {
  const git = (words: readonly string[], at: number): void => {
    const date = `2026-10-${String(at + 1).padStart(2, '0')}T12:00:00Z`;
    execFileSync('git', ['-c', 'commit.gpgsign=false', ...words], {
      cwd: folder,
      stdio: 'ignore',
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        ...{ GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.com', GIT_AUTHOR_DATE: date },
        ...{
          GIT_COMMITTER_NAME: 'Ada',
          GIT_COMMITTER_EMAIL: 'ada@example.com',
          GIT_COMMITTER_DATE: date,
        },
      },
    });
  };
  git(['init', '-q', '-b', 'main'], 0);
  for (let at = 0; at < COMMITS; at += 1) {
    const module = MODULES[at % MODULES.length]!;
    writeFileSync(join(folder, 'src', `${module}.js`), `${moduleLines(module, at).join('\n')}\n`);
    git(['add', '-A'], at);
    git(['commit', '-q', '-m', `Give ${module} its part ${at}`], at);
  }
  git(['branch', 'old', 'HEAD~12'], 0);
}
