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
  type RuleToAdd,
  ruleText,
  userSettingsFile,
  type WrittenPermissionRule,
} from '../config/index.ts';
import { personsRule, withRealFolders } from '../permissions/index.ts';
import type { HostEnvironment } from '../platform/index.ts';
import {
  type CallSubject,
  type Decision,
  type Ground,
  type Policy,
  type Rule,
  ruleChoices,
} from '../policy/index.ts';
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

/** The event that the host emits about it. */
export function keptEvent(
  { server, tool }: CatalogTool,
  { rule: { file, rule }, written }: KeptRule,
): HostEvent {
  const kept = { server, tool, file, rule: ruleText(rule) };
  return written.ok
    ? { kind: 'approval-kept', ...kept }
    : { kind: 'approval-not-kept', ...kept, problem: written.error };
}

export class KeptApprovals {
  readonly #place: ApprovalPlace;
  readonly #session = new Set<string>();
  readonly #spoken: Rule[] = [];
  readonly #file: string;

  constructor(place: ApprovalPlace) {
    this.#place = place;
    this.#file = userSettingsFile(place.environment);
  }

  /** Rules about some calls of a tool that count while the host lives. */
  get spoken(): readonly Rule[] {
    return this.#spoken;
  }

  has(tool: CatalogTool, { because }: Decision, script: CallScript | undefined): boolean {
    if (this.#session.size === 0) return false;
    if (this.#session.has(approvalKey(tool, because))) return true;
    return script !== undefined && this.#session.has(approvalKey(tool, because, script));
  }

  /** What a yes for longer may be kept as, the narrowest first. */
  rules({ tool, call, policy }: ApprovalSubject): readonly WrittenPermissionRule[] {
    const { environment, root } = this.#place;
    const found = ruleChoices(call, { root, folder: environment.cwd });
    return found.filter((rule) => this.isHeard(rule, { call, policy }) || rule === toolName(tool));
  }

  /** For how long a yes may count: always, only where a rule that says so would be heard. */
  offers({ tool, call, policy, script }: ApprovalSubject): readonly Remember[] {
    const isHeard = this.#canKeep(tool) && this.isHeard(toolName(tool), { call, policy });
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
    const [rule = toolName(asked.tool)] = this.rules(asked);
    return [{ kind: 'rule', list: 'allow', rule: ruleText(rule), file: this.#file }];
  }

  /** `undefined` if no file was to be written. */
  async keep(
    asked: ApprovalSubject,
    { remember, rule: chosen }: RememberedAs,
  ): Promise<KeptRule | undefined> {
    if (remember === 'once') return undefined;
    const { tool, decision, script } = asked;
    const isOfScript = remember === 'script';
    const name = toolName(tool);
    const rule = this.rules(asked).find((one) => isSame(one, chosen)) ?? name;
    if (rule === name) {
      this.#session.add(approvalKey(tool, decision.because, isOfScript ? script : undefined));
    } else this.#spoken.push(await withRealFolders(personsRule(rule, this.#place)));
    if (isOfScript || remember === 'session' || !this.offers(asked).includes(remember))
      return undefined;
    const { root: project } = this.#place;
    const plain = typeof rule === 'string' ? { tool: rule } : rule;
    const written: RuleToAdd = {
      file: this.#file,
      effect: 'allow',
      rule: remember === 'always' ? rule : { ...plain, project },
    };
    return { rule: written, written: await addPermissionRule(written) };
  }

  /** Whether such a rule of the user's would let the call run. */
  isHeard(
    rule: WrittenPermissionRule,
    { call, policy }: Pick<ApprovalSubject, 'call' | 'policy'>,
  ): boolean {
    return policy.decideWith(personsRule(rule, this.#place), call).kind === 'allow';
  }

  #canKeep({ server, tool }: CatalogTool): boolean {
    const { environment, root, readsUserFile } = this.#place;
    const origin = { kind: 'file', file: this.#file, line: 1, column: 1 } as const;
    const isOwn = !isForeignSource({ scope: 'user', origin }, { root, environment });
    // In a rule it would stand for any text.
    return readsUserFile && isOwn && !`${server}${tool}`.includes('*');
  }
}

/** For how long, and as which of the rules that were offered: by default, the tool with any arguments. */
export interface RememberedAs {
  readonly remember: Remember;
  readonly rule?: WrittenPermissionRule | undefined;
}

function isSame(one: WrittenPermissionRule, other: WrittenPermissionRule | undefined): boolean {
  return other !== undefined && ruleText(one) === ruleText(other);
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
