// `plugboard skills [NAME]`: lists the skills of servers, or shows one after checking it against the server's list. Naming a
// skill approves reading it.

import type { Host, HostSkill, SkillReadOutcome } from '@plugboard/host';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printError } from '../print/error.ts';
import { printJson } from '../print/json.ts';
import { skillError } from '../print/primitive-errors.ts';
import { skillTable } from '../print/primitives.ts';
import { waiting, waitingForAll } from '../print/progress.ts';
import { sanitise } from '../print/sanitise.ts';
import { exitCodeOfUnanswered } from '../print/unanswered.ts';
import { subjectOf } from '../print/subject.ts';
import { showList } from './list-report.ts';
import { locateServer } from './locate-server.ts';
import { withHost } from './with-host.ts';

export interface SkillsRequest {
  readonly skill: string | undefined;
  readonly file: string | undefined;
  readonly server: string | undefined;
}

export function skills(context: Context, request: SkillsRequest): Promise<ExitCode> {
  const { skill, server } = request;
  return withHost(context, server, (host) =>
    skill === undefined
      ? listSkills(context, host, server)
      : showSkill(context, host, { ...request, skill }),
  );
}

async function listSkills(
  context: Context,
  host: Host,
  server: string | undefined,
): Promise<ExitCode> {
  const servers = server === undefined ? {} : { servers: [server] };
  const report = await waitingForAll(context, host, (signal) =>
    host.skills.list({ ...servers, signal }),
  );
  return showList(context, host, {
    report,
    found: report.skills,
    document: { skills: report.skills },
    table: (columns) => skillTable(report.skills, columns),
    none: 'No server here has skills.\n',
  });
}

async function showSkill(
  context: Context,
  host: Host,
  { skill, file, server }: SkillsRequest & { readonly skill: string },
): Promise<ExitCode> {
  const only = server === undefined ? {} : { servers: [server] };
  const owner = await locateServer(context, host, {
    // A named server is asked, too: it may not have the skill.
    locate: (signal) => host.skills.locate(skill, { ...only, signal }),
    what: 'skill',
    list: 'skills',
    again: `plugboard skills ${skill}`,
  });
  if (owner.kind === 'failed') return owner.code;
  const outcome = await waiting(context, host, async (signal) => {
    const listed = await host.skills.list({ servers: [owner.server], signal });
    // The skill was found in this list before.
    const wanted = listed.skills.find(({ name }) => name === skill) as HostSkill;
    host.skills.approve(wanted);
    return host.skills.read(wanted, { signal, ...(file === undefined ? {} : { file }) });
  });
  if (outcome.kind === 'result') printFile(context, outcome);
  else printError(context, skillError(outcome, subjectOf(host, owner.server)));
  return exitCodeOf(outcome);
}

function printFile(
  context: Context,
  outcome: SkillReadOutcome & { readonly kind: 'result' },
): void {
  const { out } = context.terminal;
  const { server, uri, name, file } = outcome;
  const { bytes, text } = file;
  if (context.isJson) {
    const { uri: fileUri, mimeType, isVerified } = file;
    const body = text === undefined ? { data: Buffer.from(bytes).toString('base64') } : { text };
    const shown = { uri: fileUri, mimeType, isVerified, ...body };
    printJson(context, { kind: 'result', server, uri, name, file: shown });
  } else if (text === undefined && out.isTty) {
    out.write(`[${bytes.length} bytes that are not text]\n`);
  } else {
    out.write(text === undefined ? bytes : out.isTty ? sanitise(text) : text);
  }
}

function exitCodeOf(outcome: SkillReadOutcome): ExitCode {
  switch (outcome.kind) {
    case 'result':
      return EXIT.ok;
    case 'mismatch':
      return outcome.what === 'unlisted' ? EXIT.usage : EXIT.server;
    case 'denied':
    case 'not-approved':
    case 'nested-skill':
      return EXIT.denied;
    default:
      return exitCodeOfUnanswered(outcome);
  }
}
