// How long an approval of the user lasts: for this call, for the life of this host, or permanently, as a rule in
// the user's own settings. It is bound to the tool and to the reason why it was requested, so that a general
// approval does not answer a rule about particular calls.

import { hash } from 'node:crypto';
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
  /** The top folder of the project. */
  readonly root: string;
  /** Whether the host reads the user's own settings. If not, a rule there would change nothing. */
  readonly readsUserFile: boolean;
}

export interface ApprovalSubject {
  readonly tool: CatalogTool;
  readonly call: CallSubject;
  readonly decision: Decision;
  readonly policy: Policy;
  readonly script: CallScript | undefined;
}

/** A rule for the user's settings, and whether it could be written. */
export interface KeptRule {
  readonly rule: RuleToAdd;
  readonly written: Result<unknown, EditProblem>;
}

/** The event that the host emits about a permanent approval. */
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
  readonly #approvedKeys = new Set<string>();
  readonly #sessionRules: Rule[] = [];
  readonly #file: string;

  constructor(place: ApprovalPlace) {
    this.#place = place;
    this.#file = userSettingsFile(place.environment);
  }

  /** Rules about particular calls of a tool that count while the host lives. */
  get sessionRules(): readonly Rule[] {
    return this.#sessionRules;
  }

  has(tool: CatalogTool, { because }: Decision, script: CallScript | undefined): boolean {
    if (this.#approvedKeys.size === 0) return false;
    if (this.#approvedKeys.has(approvalKey(tool, because))) return true;
    return script !== undefined && this.#approvedKeys.has(approvalKey(tool, because, script));
  }

  /** The rules that a longer approval can be kept as, the narrowest first. */
  rules({ tool, call, policy }: ApprovalSubject): readonly WrittenPermissionRule[] {
    const { environment, root } = this.#place;
    const found = ruleChoices(call, { root, folder: environment.cwd });
    return found.filter(
      (rule) => this.wouldAllow(rule, { call, policy }) || rule === toolName(tool),
    );
  }

  /** How long an approval may last: permanently only if a rule would have an effect. */
  offers({ tool, call, policy, script }: ApprovalSubject): readonly Remember[] {
    const isPermanent = this.#canKeep(tool) && this.wouldAllow(toolName(tool), { call, policy });
    return [
      'once',
      ...(script === undefined ? [] : (['script'] as const)),
      'session',
      ...(isPermanent ? (['always-here', 'always'] as const) : []),
    ];
  }

  /** The rule that would have allowed the call. */
  neededRules(subject: ApprovalSubject): readonly NeededRule[] {
    if (!this.offers(subject).includes('always')) return [];
    const [rule = toolName(subject.tool)] = this.rules(subject);
    return [{ kind: 'rule', list: 'allow', rule: ruleText(rule), file: this.#file }];
  }

  /** `undefined` if the approval is not permanent. */
  async keep(
    subject: ApprovalSubject,
    { remember, rule: chosen }: RememberedAs,
  ): Promise<KeptRule | undefined> {
    if (remember === 'once') return undefined;
    const { tool, decision, script } = subject;
    const isOfScript = remember === 'script';
    const name = toolName(tool);
    const rule = this.rules(subject).find((one) => isSame(one, chosen)) ?? name;
    if (rule === name) {
      this.#approvedKeys.add(approvalKey(tool, decision.because, isOfScript ? script : undefined));
    } else this.#sessionRules.push(await withRealFolders(personsRule(rule, this.#place)));
    if (isOfScript || remember === 'session' || !this.offers(subject).includes(remember))
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

  /** Whether such a rule of the user would allow the call. */
  wouldAllow(
    rule: WrittenPermissionRule,
    { call, policy }: Pick<ApprovalSubject, 'call' | 'policy'>,
  ): boolean {
    return policy.decideWith(personsRule(rule, this.#place), call).kind === 'allow';
  }

  #canKeep({ server, tool }: CatalogTool): boolean {
    const { environment, root, readsUserFile } = this.#place;
    const origin = { kind: 'file', file: this.#file, line: 1, column: 1 } as const;
    const isOwn = !isForeignSource({ scope: 'user', origin }, { root, environment });
    // A `*` in the name would stand for any text in a rule.
    return readsUserFile && isOwn && !`${server}${tool}`.includes('*');
  }
}

/** How long an approval lasts, and as which of the offered rules: by default, the tool with any arguments. */
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
  const digest = script === undefined ? [] : [hash('sha256', script.code, 'hex')];
  return JSON.stringify([server, tool, ground, ...digest]);
}
