// `/mcp SERVER`: the log and the check of one server, and the decision to trust it, with the code of the commands of the same
// names. Exactly the shown version of a server is approved.

import { systemClock } from '@plugboard/base';
import type { Host } from '@plugboard/host';
import { approve, type TrustSubject } from '@plugboard/host/configuration';
import type { PickerRow, SubmitResult } from '../chat/index.ts';
import type { Context } from '../context.ts';
import { trustScreen } from '../print/trust-screen.ts';
import { trustError } from '../print/trust-words.ts';
import { readConfigured } from './configured.ts';
import { withheldNote } from './handover.ts';
import { quietly } from './quietly.ts';
import { originsOf } from './trust.ts';

export interface ServerViewOptions {
  readonly context: Context;
  readonly host: Host;
  readonly columns: number;
}

export class ServerViews {
  readonly #options: ServerViewOptions;
  /** The shown versions of servers that the user may trust. */
  readonly #shown = new Map<string, TrustSubject>();

  constructor(options: ServerViewOptions) {
    this.#options = options;
  }

  async show(
    name: string,
    what: string | undefined,
    answer: string | undefined,
  ): Promise<SubmitResult> {
    const status = this.#options.host.servers.find((server) => server.name === name);
    if (status === undefined) {
      const message = `there is no server "${name}"`;
      return { kind: 'problem', message, fix: 'see the list: /mcp' };
    }
    switch (what) {
      case undefined:
        return pickView(name, status.state.kind);
      case 'log':
        return this.#outputOf(async (quiet) => {
          const { showRecords } = await import('./show-records.ts');
          await showRecords(quiet, { what: 'logs', server: name, lines: LINES });
        });
      case 'doctor':
        return this.#outputOf(async (quiet) => {
          const { doctor } = await import('./doctor.ts');
          await doctor(quiet, name);
        });
      case 'trust':
        return answer === 'yes' ? this.#trust(name) : this.#askTrust(name);
      default:
        return {
          kind: 'problem',
          message: `"${what}" is not a part of a server`,
          fix: `/mcp ${name} log, /mcp ${name} doctor or /mcp ${name} trust`,
        };
    }
  }

  /** Runs a command and returns its output. */
  async #outputOf(work: (quiet: Context) => Promise<void>): Promise<SubmitResult> {
    const { context, columns } = this.#options;
    const done = await quietly(context, columns, work);
    return done.ok ? { kind: 'shown', text: done.value } : { kind: 'problem', ...done.error };
  }

  async #askTrust(name: string): Promise<SubmitResult> {
    const { configuration, environment } = await readConfigured(this.#options.context);
    const server = configuration.servers.find((one) => one.name === name);
    if (server?.admission.kind !== 'untrusted') return notWaiting(name);
    const { subject, standing } = server.admission;
    this.#shown.set(name, subject);
    const items = server.handover?.items ?? [];
    const origins = originsOf(configuration.explain(name));
    const text = `${trustScreen({ subject, standing, origins, items }, environment)}\n${withheldNote(server, [])}`;
    return {
      kind: 'pick',
      picker: {
        title: `Let "${name}" start?`,
        text: text.trimEnd(),
        rows: [
          { label: 'No, leave it out', detail: '', line: '/mcp' },
          { label: 'Yes, trust it as shown above', detail: '', line: `/mcp ${name} trust yes` },
        ],
        empty: '',
      },
    };
  }

  async #trust(name: string): Promise<SubmitResult> {
    const subject = this.#shown.get(name);
    if (subject === undefined) return this.#askTrust(name);
    const { environment } = await readConfigured(this.#options.context);
    const approved = await approve(environment, subject, { given: [] });
    if (!approved.ok) {
      const { message, fix } = trustError(approved.error, environment);
      return { kind: 'problem', message, fix };
    }
    await untilAdmitted(this.#options.host, name);
    return { kind: 'shown', text: `"${name}" is trusted as it was shown.` };
  }
}

const LINES = '40';
/** How long the host may take to notice an approval. */
const NOTICE_MS = 5000;

async function untilAdmitted(host: Host, name: string): Promise<void> {
  const isAdmitted = (): boolean =>
    host.servers.every((server) => server.name !== name || server.state.kind !== 'untrusted');
  if (isAdmitted()) return;
  await new Promise<void>((resolve) => {
    const timer = systemClock.after(NOTICE_MS, done);
    const listening = host.on(() => {
      if (isAdmitted()) done();
    });
    function done(): void {
      timer[Symbol.dispose]();
      listening[Symbol.dispose]();
      resolve();
    }
  });
}

function notWaiting(name: string): SubmitResult {
  return { kind: 'shown', text: `"${name}" is not waiting to be trusted.` };
}

function pickView(name: string, state: string): SubmitResult {
  const trust: readonly PickerRow[] =
    state === 'untrusted'
      ? [
          {
            label: 'trust it',
            detail: 'see what it starts, and decide',
            line: `/mcp ${name} trust`,
          },
        ]
      : [];
  return {
    kind: 'pick',
    picker: {
      title: `Server ${name}`,
      rows: [
        ...trust,
        { label: 'tools', detail: 'what it offers', line: `/tools ${name}` },
        { label: 'resources', detail: 'what it has to read', line: `/resources ${name}` },
        { label: 'log', detail: 'its last lines', line: `/mcp ${name} log` },
        { label: 'doctor', detail: 'every step of connecting', line: `/mcp ${name} doctor` },
      ],
      empty: '',
    },
  };
}
