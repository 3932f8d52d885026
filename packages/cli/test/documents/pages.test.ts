// Every command line of the READMEs and of the pages in docs is run as it is written, page by page and in the order of
// the page. A line is expected to end with 0 and to ask nothing, unless pages.ts says otherwise. A line that begins
// with a program that is not known here fails, so that no page can show what nothing has tried. Not every line is a process:
// see line-in-process.ts.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLong, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import manifest from '../../../../package.json' with { type: 'json' };
import { type CommandLine, stepsOf } from './command-lines.ts';
import { type LinePlan, type PagePlan, PAGES, RUN_ELSEWHERE, USUAL } from './pages.ts';
import { type ProgramResult, REPOSITORY, World } from './world.ts';

const PAGE_NAMES = [
  'README.md',
  'packages/cli/README.md',
  'packages/codebase/README.md',
  ...readdirSync(join(REPOSITORY, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

const STEPS = new Map(
  PAGE_NAMES.map((name) => [name, stepsOf(readFileSync(join(REPOSITORY, name), 'utf8'))]),
);

const RUN =
  /^(?:(?:npx )?plugboard|(?:plugboard-|npx @plugboard\/)codebase|alias|cat|curl|git|printf|rm)(?: |$)/;
/** In the text of a page, a command may be called by its name alone. */
const MAY_BE_NAME = /^plugboard(?: [a-z][a-z-]*){1,2}$/;

describe.each(PAGE_NAMES)('the command lines of %s', (name) => {
  verifies('CFG-08');
  verifies('CLI-07');
  const steps = STEPS.get(name) ?? [];
  const plan = PAGES[name] ?? USUAL;

  it.runIf(steps.length > 0)(
    'have the effect that the page describes',
    { timeout: 600_000 },
    async () => {
      await using world = await World.make(plan.project ?? 'project');
      Object.assign(world.env, plan.env);
      await plan.prepare?.(world);
      const played: PlayedLine[] = [];
      for (const step of steps) {
        if (step.kind === 'file') await world.write(step.path, step.body);
        else played.push(await play(world, { name, plan, step }));
      }
      expect(played.map(({ was }) => was)).toEqual(played.map(({ wanted }) => wanted));
      await plan.after?.(world);
    },
  );

  it('include every line in the plan of the page', () => {
    const commands = new Set(steps.map((step) => (step.kind === 'command' ? step.command : '')));
    expect(Object.keys(plan.lines ?? {}).filter((line) => !commands.has(line))).toEqual([]);
  });
});

/** What a line did, and what it should have done, in the same words. */
interface PlayedLine {
  readonly was: string;
  readonly wanted: string;
}

interface Line {
  readonly name: string;
  readonly plan: PagePlan;
  readonly step: CommandLine;
}

async function play(world: World, { name, plan, step }: Line): Promise<PlayedLine> {
  const { command, place, line, shown } = step;
  const where = `${name}:${line}: ${command}`;
  const found = (what: string): PlayedLine => ({ was: `${where}\n${what}`, wanted: `${where}\n` });
  if (place === 'transcript' && RUN_ELSEWHERE.includes(name)) return found('');
  if (!isLong && plan.lines?.[command] === undefined && isInTextBefore(name, step))
    return found('');
  if (command.startsWith('npm ')) return found(missingScripts(command));
  const [, variable, value] = /^export (\w+)=(.*)$/.exec(command) ?? [];
  if (variable !== undefined) {
    // What is left out is a key, and the scripted model takes any.
    world.env[variable] = value === '…' ? 'a-key' : (value ?? '');
    return found('');
  }
  if (!RUN.test(command)) return found('begins with a program that this test does not know');
  const { code, by = plain }: LinePlan = plan.lines?.[command] ?? planFor(step);
  const ended = await by(world, withoutPlaceholders(world, plan, command));
  const printed = world.shown(ended.printed);
  // A transcript that shows an error is of a command that fails, with whatever code.
  const isWanted = /^error: /m.test(shown) ? ended.code !== 0 : ended.code === 0;
  const isAsPlanned = code === undefined ? isWanted : ended.code === code;
  if (!isAsPlanned) return found(`ended with ${ended.code} and printed\n${printed}`);
  if (shown === '' || fits(printed, shown)) return found('');
  return { was: `${where}\n${printed}`, wanted: `${where}\n${shown}` };
}

/**
 * What the text of an earlier page has in the same words was run there. The long form runs it on each page. A sign-in is
 * always run, since later lines of the page need it.
 */
function isInTextBefore(name: string, { command, place }: CommandLine): boolean {
  if (place !== 'text' || command.startsWith('plugboard login ')) return false;
  const first = PAGE_NAMES.find((page) =>
    STEPS.get(page)?.some(
      (step) => step.kind === 'command' && step.place === 'text' && step.command === command,
    ),
  );
  return first !== name;
}

const plain = (world: World, line: string): Promise<ProgramResult> => world.run(line);

/** Where nothing is planned: a chat is a chat, and the name of a command is one that has help. */
function planFor({ command, place }: CommandLine): LinePlan {
  if (place === 'text' && MAY_BE_NAME.test(command)) {
    return { by: namedOrRun };
  }
  // What the text says of taking away is no step of the page.
  if (place === 'text' && /^plugboard (?:disable|remove) /.test(command)) {
    return { by: (world, line) => world.aside(() => world.run(line)) };
  }
  if (/^plugboard chat\b/.test(command)) return { by: (world, line) => world.chat(line) };
  return {};
}

/** The help of a command begins with its whole name; other words are arguments. */
async function namedOrRun(world: World, line: string): Promise<ProgramResult> {
  const help = await world.run(`${line} --help`);
  return help.printed.includes(line) ? help : world.run(line);
}

function missingScripts(command: string): string {
  const scripts = command.split(' && ').flatMap((each) => {
    const [, verb = '', script = ''] = each.split(' ');
    if (verb === 'run') return [script];
    return verb === 'ci' ? [] : [verb];
  });
  return scripts
    .filter((script) => !(script in manifest.scripts))
    .map((script) => `package.json has no script "${script}"`)
    .join('\n');
}

function withoutPlaceholders(world: World, plan: PagePlan, command: string): string {
  return Object.entries(plan.placeholders ?? {}).reduce(
    (line, [placeholder, value]) =>
      line.replaceAll(placeholder, typeof value === 'string' ? value : value(world)),
    command,
  );
}

/** A line `...` of a transcript stands for any number of lines. */
function fits(printed: string, shown: string): boolean {
  const literal = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
  const pattern = shown
    .split(/^\.\.\.\n/m)
    .map(literal)
    .join(String.raw`(?:.*\n)+?`);
  return new RegExp(`^${pattern}$`).test(printed);
}
