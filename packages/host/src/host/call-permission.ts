// Decides whether a call may run: by the rules, then the hooks, then the user if the rules require it;
// synchronously if possible. Arguments that a hook changed are checked and decided again before the user
// is asked, so that the user approves what is sent. Also decides whether a resource may be read.

import {
  abortSignalOf,
  type Emitter,
  err,
  type JsonObject,
  type MaybePromise,
  ok,
  type Result,
} from '@plugboard/base';
import { type CatalogTool, claimsOf, toHostTool } from '../catalog/index.ts';
import { type FlowSettings, withRealPaths } from '../permissions/index.ts';
import {
  callReach,
  type CallSubject,
  type ConversationFlow,
  type Decision,
  type Explanation,
  labelsOfTool,
  type Policy,
  type ResourceSubject,
} from '../policy/index.ts';
import type { ToolResult } from '../protocol/index.ts';
import type { WhileAsked } from '../inbound/index.ts';
import type { Approval, ApprovalRequest, Approver, ReadApprover, Remember } from './approver.ts';
import { calledOf, type CallOutcome, deniedCall, invalidArguments } from './call-outcome.ts';
import type { checkArguments } from './schema-check.ts';
import { decisionReason } from './decision-reason.ts';
import type { HookedCall, HookNote, HookOutcome, HookPass, Hooks } from './hooks.ts';
import type { HostEvent } from './host-surface.ts';
import {
  type ApprovalSubject,
  type KeptApprovals,
  keptEvent,
  type RememberedAs,
} from './kept-approvals.ts';

/** Who makes the call, as the program describes it. */
export type Caller = Pick<ApprovalRequest, 'asker' | 'callId' | 'script'> & {
  readonly whileAsked?: WhileAsked;
  readonly conversation?: ConversationFlow;
};

/** Receives the reasons why a request may or may not be made. Must be quick, and must not throw. */
export interface PermissionObserver {
  /** Called for the decision of the rules, and again for changed arguments. */
  decided(decision: Decision): void;
  /** Called for the approval that a decision to ask required. */
  approved(by: 'person' | 'earlier-approval', answer: Approval['kind']): void;
  hook(note: HookNote): void;
}

export interface PermitRequest extends HookedCall {
  readonly observer?: PermissionObserver | undefined;
  readonly from: Caller;
  /** Checks arguments that a hook or the user changed. */
  check(changed: JsonObject): MaybePromise<ReturnType<typeof checkArguments>>;
}

/** The arguments to send, or the outcome of a call that may not run. */
export type Permit = Result<JsonObject, CallOutcome>;

export type DeniedReading = ResourceSubject & {
  readonly kind: 'denied';
  readonly reason: string;
  readonly decision: Decision;
};

/** What a configuration states about calls, compiled. */
export interface CallPolicies {
  readonly policy: Policy;
  readonly hooks: Hooks;
  readonly flow: FlowSettings;
}

export interface PermissionPorts {
  readonly approve: Approver;
  readonly approveRead: ReadApprover;
  readonly approvals: KeptApprovals;
  readonly events: Emitter<HostEvent>;
}

export class CallPermission {
  readonly #ports: PermissionPorts;
  /** As configured, without the rules that the user approved in this session. */
  #configured: CallPolicies;
  #policies: CallPolicies;
  /** Approved reads, by server and address. */
  readonly #reads = new Set<string>();

  constructor(policies: CallPolicies, ports: PermissionPorts) {
    this.#configured = policies;
    this.#policies = policies;
    this.#ports = ports;
  }

  get hooks(): Hooks {
    return this.#policies.hooks;
  }

  replace(policies: CallPolicies): void {
    this.#configured = policies;
    const policy = policies.policy.with(this.#ports.approvals.sessionRules);
    this.#policies = { ...policies, policy };
  }

  /** The decision about a call, without asking the user. */
  decide(tool: CatalogTool, given: JsonObject): MaybePromise<Decision> {
    const { policy } = this.#policies;
    const call = withRealPaths(subjectOf(tool, given), policy);
    return call instanceof Promise ? call.then((one) => policy.decide(one)) : policy.decide(call);
  }

  /** The decision, and every rule that matches the call. */
  async explain(tool: CatalogTool, given: JsonObject): Promise<Explanation> {
    const { policy } = this.#policies;
    return policy.explain(await withRealPaths(subjectOf(tool, given), policy));
  }

  /** The result of a call with the arguments that were sent, as hooks change it, or the reason why they block it. */
  async review(
    call: HookedCall,
    result: ToolResult,
  ): Promise<Result<HookPass<ToolResult>, CallOutcome>> {
    return passOf(await this.#policies.hooks.afterCall(call, result), call);
  }

  /** The denial of a read; `undefined` if the resource may be read. */
  async permitRead(
    { server, uri }: ResourceSubject,
    signal: AbortSignal,
    observer?: PermissionObserver,
  ): Promise<DeniedReading | undefined> {
    const decide = (): Decision => this.#policies.policy.decideResource({ server, uri });
    const denied = (decision: Decision, reason = decisionReason(decision)): DeniedReading => ({
      ...{ kind: 'denied', server, uri, reason, decision },
    });
    const decision = decide();
    observer?.decided(decision);
    if (decision.kind === 'allow') return undefined;
    if (decision.kind === 'deny') return denied(decision);
    // No server name contains a NUL.
    const key = `${server}\0${uri}`;
    if (this.#reads.has(key)) {
      observer?.approved('earlier-approval', 'allow');
      return undefined;
    }
    const answer = await this.#ports.approveRead({ server, uri, decision, signal });
    observer?.approved('person', answer.kind);
    if (answer.kind === 'deny') return denied(decision, answer.reason);
    if ((answer.remember ?? 'once') !== 'once') this.#reads.add(key);
    // The rules may have changed while the user was asked.
    const now = decide();
    return now.kind === 'deny' ? denied(now) : undefined;
  }

  permit(request: PermitRequest): MaybePromise<Permit> {
    if (this.#policies.hooks.has('beforeCall', request.tool)) return this.#permitWithHooks(request);
    const decision = this.decide(request.tool, request.arguments);
    return decision instanceof Promise
      ? decision.then((decided) => this.#applyDecision(decided, request))
      : this.#applyDecision(decision, request);
  }

  async #permitWithHooks(request: PermitRequest): Promise<Permit> {
    const { tool } = request;
    const first = await this.decide(tool, request.arguments);
    if (first.kind === 'deny') return this.#applyDecision(first, request);
    const hooked = await this.#runHooks(request);
    if (!hooked.ok) return hooked;
    if (hooked.value === request) return this.#applyDecision(first, request);
    return this.#applyDecision(await this.decide(tool, hooked.value.arguments), hooked.value);
  }

  /** Returns the same request if no hook changes its arguments. */
  async #runHooks(request: PermitRequest): Promise<Result<PermitRequest, CallOutcome>> {
    const { tool } = request;
    const { hooks } = this.#policies;
    if (!hooks.has('beforeCall', tool)) return ok(request);
    const ran = passOf(await hooks.beforeCall(request), request);
    if (!ran.ok) return ran;
    if (!ran.value.isChanged) return ok(request);
    const checked = await request.check(ran.value.value);
    if (!checked.ok) return err(invalidArguments(tool, checked.error));
    return ok({ ...request, arguments: checked.value });
  }

  #applyDecision(decided: Decision, request: PermitRequest): MaybePromise<Permit> {
    const { tool, from, observer } = request;
    const decision = this.#withFlow(decided, request);
    observer?.decided(decision);
    if (decision.kind === 'allow') return ok(request.arguments);
    if (decision.kind === 'deny') {
      return err(deniedCall(tool, decisionReason(decision), { kind: 'policy', decision }));
    }
    if (
      decision.because.kind !== 'flow' &&
      this.#ports.approvals.has(tool, decision, from.script)
    ) {
      observer?.approved('earlier-approval', 'allow');
      return ok(request.arguments);
    }
    const pending = this.#requestApproval(decision, request);
    const approval = this.#ports.approve(pending.request);
    return approval instanceof Promise
      ? this.#awaitApproval(approval, pending)
      : this.#applyApproval(approval, pending);
  }

  async #awaitApproval(approval: Promise<Approval>, pending: PendingApproval): Promise<Permit> {
    return this.#applyApproval(await pausedUntil(approval, pending.permit.from), pending);
  }

  /** The decision that also considers what was read into the conversation. */
  #withFlow(decision: Decision, { tool, arguments: given, from }: PermitRequest): Decision {
    const { conversation } = from;
    if (conversation === undefined || decision.kind === 'deny') return decision;
    const { flow } = this.#policies;
    const nature = flow.natureOf(tool.server);
    const { server, tool: name } = tool;
    const labelled = labelsOfTool({ ...tool, ...tool.definition }, nature);
    const reach = callReach(labelled, nature, { tool: name, arguments: given });
    const { labels } = labelled;
    const concern = conversation.concern({ server, tool: name, labels, reach, arguments: given });
    const mode = flow.modeOf(tool.server);
    if (concern === undefined || mode === 'off' || isNotOut(decision)) return decision;
    return { kind: mode, because: { kind: 'flow', concern, instead: decision.because } };
  }

  #requestApproval(decision: Decision, permit: PermitRequest): PendingApproval {
    const { tool, arguments: given, signal, from } = permit;
    const { approvals } = this.#ports;
    const { policy } = this.#policies;
    const { script } = from;
    const about = { tool, call: subjectOf(tool, given), decision, policy, script };
    const request: ApprovalRequest = {
      // Getters, since most approvers read only some of the members.
      get tool() {
        return toHostTool(tool);
      },
      arguments: given,
      decision,
      get offers() {
        return decision.because.kind === 'flow' ? FLOW_OFFERS : approvals.offers(about);
      },
      get rules() {
        return decision.because.kind === 'flow' ? [] : approvals.rules(about);
      },
      isAllowedBy: (rules) =>
        decision.because.kind === 'default' &&
        rules.some((rule) => approvals.wouldAllow(rule, about)),
      get taken() {
        return from.conversation?.taken(given) ?? [];
      },
      signal: abortSignalOf(signal),
      ...(from.asker === undefined ? {} : { asker: from.asker }),
      ...(from.callId === undefined ? {} : { callId: from.callId }),
      ...(script === undefined ? {} : { script }),
    };
    return { ...about, request, permit };
  }

  #applyApproval(approval: Approval, pending: PendingApproval): MaybePromise<Permit> {
    const { tool, request } = pending;
    pending.permit.observer?.approved('person', approval.kind);
    if (approval.kind === 'deny') {
      const { decision } = pending;
      const needs = this.#ports.approvals.neededRules(pending);
      return err({ ...deniedCall(tool, approval.reason, { kind: 'approver', decision }), needs });
    }
    const remember = rememberedAs(approval.remember, request);
    const { because } = pending.decision;
    if (because.kind === 'flow') {
      if (remember !== 'once') pending.permit.from.conversation?.approve(tool);
      // The same approval answers the question that would have been asked without the flow. It writes no rule.
      const plain = { ...pending, decision: { ...pending.decision, because: because.instead } };
      const limit = remember === 'once' ? 'once' : 'session';
      if (approval.arguments === undefined) return this.#keepApproval(plain, { remember: limit });
    }
    if (approval.arguments !== undefined) {
      return this.#permitEdited(pending, { given: approval.arguments, remember });
    }
    if (remember === 'once' && pending.policy === this.#policies.policy)
      return ok(request.arguments);
    return this.#keepApproval(pending, { remember, rule: approval.rule });
  }

  /** Arguments that the user edited pass the same checks as the original ones. */
  async #permitEdited(
    pending: PendingApproval,
    { given, remember }: { readonly given: JsonObject; readonly remember: Remember },
  ): Promise<Permit> {
    const { tool, permit } = pending;
    const checked = await permit.check(given);
    if (!checked.ok) return err(invalidArguments(tool, checked.error));
    const edited = { ...permit, arguments: checked.value };
    const { policy } = this.#policies;
    const now = await this.decide(tool, edited.arguments);
    if (now.kind === 'deny') return this.#applyDecision(now, edited);
    const hooked = await this.#runHooks(edited);
    if (!hooked.ok) return hooked;
    // The user has not approved what a hook changed.
    if (hooked.value !== edited) {
      return this.#applyDecision(await this.decide(tool, hooked.value.arguments), hooked.value);
    }
    return this.#keepApproval({ ...this.#requestApproval(now, edited), policy }, { remember });
  }

  /** Decides again if the rules have changed while the user was asked. */
  async #keepApproval(pending: PendingApproval, as: RememberedAs): Promise<Permit> {
    const { tool, request, policy } = pending;
    if (policy !== this.#policies.policy) {
      const now = await this.decide(tool, request.arguments);
      if (now.kind === 'deny') {
        return err(deniedCall(tool, decisionReason(now), { kind: 'policy', decision: now }));
      }
    }
    const { approvals } = this.#ports;
    const before = approvals.sessionRules.length;
    const kept = await approvals.keep(pending, as);
    if (approvals.sessionRules.length !== before) this.replace(this.#configured);
    if (kept !== undefined) this.#ports.events.emit(keptEvent(tool, kept));
    return ok(request.arguments);
  }
}

function passOf<T>(ran: HookOutcome<T>, { tool }: HookedCall): Result<HookPass<T>, CallOutcome> {
  switch (ran.kind) {
    case 'passed':
      return ok(ran);
    case 'blocked':
      return err(deniedCall(tool, `a hook: ${ran.by.reason}`, { kind: 'hook', hook: ran.by }));
    case 'cancelled':
      return err({ ...calledOf(tool), kind: 'cancelled' });
    default:
      return ran satisfies never;
  }
}

interface PendingApproval extends ApprovalSubject {
  readonly request: ApprovalRequest;
  readonly permit: PermitRequest;
}

/** Stops the caller's clock until the user has answered. */
async function pausedUntil(approval: Promise<Approval>, { whileAsked }: Caller): Promise<Approval> {
  using _pause = whileAsked?.();
  return await approval;
}

/** An approval for one script never becomes one for all calls. */
function rememberedAs(remember: Remember = 'once', request: ApprovalRequest): Remember {
  return remember === 'script' && !request.offers.includes('script') ? 'once' : remember;
}

/** How long the approval of a flow may last: for the call, or for the tool in this conversation. */
const FLOW_OFFERS: readonly Remember[] = ['once', 'session'];

/** Whether the rule that allows the call states that such a call sends nothing out. */
function isNotOut({ because }: Decision): boolean {
  return because.kind === 'rule' && because.rule.isNotOut === true;
}

function subjectOf(
  { server, tool, name, definition }: CatalogTool,
  given: JsonObject,
): CallSubject {
  return { server, tool, name, claims: claimsOf(definition.annotations), arguments: given };
}
