// What a person's yes is good for: this call, this host's life, or from now on, as a rule in the user's own
// settings. A yes is bound to the tool and to the reason for which it was asked, so that one given in
// general does not answer the question of a rule about some calls.

import { createHash } from 'node:crypto';
import type { Result } from '@plugboard/base';
import type { CatalogTool } from '../catalog/index.ts';
import {
  addPermissionRule,
  type EditProblem,
  isForeignSource,
  precedence,
  type RuleToAdd,
  userSettingsFile,
} from '../config/index.ts';
import type { HostEnvironment } from '../platform/index.ts';
import type { CallSubject, Decision, Ground, Policy, Rule } from '../policy/index.ts';
import type { CallScript, Remember } from './approver.ts';
import type { NeededRule } from './call-outcome.ts';
import type { HostEvent } from './host-surface.ts';

export interface ApprovalPlace {
  readonly environment: HostEnvironment;
  /** The top of the project. */
  readonly root: string;
  /** Whether the host reads the user's own settings: else a rule there would change nothing. */
  readonly readsUserFile: boolean;
}

export interface ApprovalSubject {
  readonly tool: CatalogTool;
  readonly call: CallSubject;
  readonly decision: Decision;
  readonly policy: Policy;
  readonly script: CallScript | undefined;
}

/** A rule that was to be written. */
export interface KeptRule {
  readonly rule: RuleToAdd;
  readonly written: Result<unknown, EditProblem>;
}

/** What the host tells of it. */
export function keptEvent(
  { server, tool }: CatalogTool,
  { rule: { file }, written }: KeptRule,
): HostEvent {
  return written.ok
    ? { kind: 'approval-kept', server, tool, file }
    : { kind: 'approval-not-kept', server, tool, file, problem: written.error };
}

export class KeptApprovals {
  readonly #place: ApprovalPlace;
  readonly #session = new Set<string>();
  readonly #file: string;

  constructor(place: ApprovalPlace) {
    this.#place = place;
    this.#file = userSettingsFile(place.environment);
  }

  has(tool: CatalogTool, { because }: Decision, script: CallScript | undefined): boolean {
    if (this.#session.size === 0) return false;
    if (this.#session.has(approvalKey(tool, because))) return true;
    return script !== undefined && this.#session.has(approvalKey(tool, because, script));
  }

  /** For how long a yes may count: always, only where a rule that says so would be heard. */
  offers({ tool, call, policy, script }: ApprovalSubject): readonly Remember[] {
    const isHeard =
      this.#canKeep(tool) && policy.decideWith(this.#rule(tool), call).kind === 'allow';
    return [
      'once',
      ...(script === undefined ? [] : (['script'] as const)),
      'session',
      ...(isHeard ? (['always-here', 'always'] as const) : []),
    ];
  }

  /** What would have let the call run. */
  needs(asked: ApprovalSubject): readonly NeededRule[] {
    if (!this.offers(asked).includes('always')) return [];
    const { tool } = asked;
    return [{ kind: 'rule', list: 'allow', rule: toolName(tool), file: this.#file }];
  }

  /** Undefined where no file was to be written. */
  async keep(asked: ApprovalSubject, remember: Remember): Promise<KeptRule | undefined> {
    if (remember === 'once') return undefined;
    const { tool, decision, script } = asked;
    const isOfScript = remember === 'script';
    this.#session.add(approvalKey(tool, decision.because, isOfScript ? script : undefined));
    if (isOfScript || remember === 'session' || !this.offers(asked).includes(remember))
      return undefined;
    const name = toolName(tool);
    const project = this.#place.root;
    const rule: RuleToAdd = {
      file: this.#file,
      effect: 'allow',
      rule: remember === 'always' ? name : { tool: name, project },
    };
    return { rule, written: await addPermissionRule(rule) };
  }

  #canKeep({ server, tool }: CatalogTool): boolean {
    const { environment, root, readsUserFile } = this.#place;
    const origin = { kind: 'file', file: this.#file, line: 1, column: 1 } as const;
    const isOwn = !isForeignSource({ scope: 'user', origin }, { root, environment });
    // In a rule it would stand for any text.
    return readsUserFile && isOwn && !`${server}${tool}`.includes('*');
  }

  #rule(tool: CatalogTool): Rule {
    const text = toolName(tool);
    return {
      effect: 'allow',
      on: { kind: 'calls', tool: text },
      text,
      scope: 'user',
      strength: precedence('user'),
      origin: { kind: 'file', file: this.#file, line: 1, column: 1 },
      isOwn: true,
    };
  }
}

function toolName({ server, tool }: Pick<CatalogTool, 'server' | 'tool'>): string {
  return `${server}/${tool}`;
}

function approvalKey({ server, tool }: CatalogTool, because: Ground, script?: CallScript): string {
  const ground = because.kind === 'rule' ? because.rule : because.kind;
  const digest =
    script === undefined ? [] : [createHash('sha256').update(script.code).digest('hex')];
  return JSON.stringify([server, tool, ground, ...digest]);
}
