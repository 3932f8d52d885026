// Decides whether a call may run: by the rules, then the hooks, then the user where the rules say so;
// synchronously where possible. Arguments that a hook changed are checked and decided again before the user
// is asked, so that what is approved is what is sent.

import {
  abortSignalOf,
  type CancelSignal,
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
  type Decision,
  type Explanation,
  labelsOfTool,
  type Policy,
  type ResourceSubject,
} from '../policy/index.ts';
import type { ToolResult } from '../protocol/index.ts';
import type { WhileAsked } from '../inbound/index.ts';
import type { Approval, ApprovalRequest, Approver, Remember } from './approver.ts';
import { calledOf, type CallOutcome, deniedCall, invalidArguments } from './call-outcome.ts';
import type { checkArguments } from './check-arguments.ts';
import type { ConversationReading } from './conversation-reading.ts';
import { decisionReason } from './decision-reason.ts';
import type { HookFailure } from './hook-run.ts';
import type { HookNote, Hooks } from './hooks.ts';
import type { HostEvent } from './host-surface.ts';
import {
  type ApprovalSubject,
  type KeptApprovals,
  keptEvent,
  type RememberedAs,
} from './kept-approvals.ts';

/** Who calls, in the words of the program. */
export type Caller = Pick<ApprovalRequest, 'asker' | 'callId' | 'script'> & {
  readonly whileAsked?: WhileAsked;
  readonly conversation?: ConversationReading;
};

/** Is told why a request may or may not be made. Must be quick, and must not throw. */
export interface PermissionObserver {
  /** What the rules say; again for arguments that were changed. */
  decided(decision: Decision): void;
  /** What became of a decision to ask. */
  approved(by: 'person' | 'earlier-approval', answer: Approval['kind']): void;
  hook(note: HookNote): void;
}

export interface PermitRequest {
  readonly observer?: PermissionObserver | undefined;
  readonly tool: CatalogTool;
  readonly arguments: JsonObject;
  readonly signal: CancelSignal;
  readonly from: Caller;
  /** Whether the tool takes other arguments than those that were given. */
  check(given: JsonObject): MaybePromise<ReturnType<typeof checkArguments>>;
}

/** A call whose result is to be looked at, with the arguments as they were sent. */
export interface ReviewedCall {
  readonly observer?: PermissionObserver | undefined;
  readonly tool: CatalogTool;
  readonly arguments: JsonObject;
  readonly signal: CancelSignal;
}

export interface ReviewedResult {
  readonly result: ToolResult;
  /** Hooks that were to look at it and failed. */
  readonly failures: readonly HookFailure[];
}

/** The arguments to send, or what the call came to. */
export type Permit = Result<JsonObject, CallOutcome>;

/** What a configuration says about calls, made ready. */
export interface CallPolicies {
  readonly policy: Policy;
  readonly hooks: Hooks;
  readonly flow: FlowSettings;
}

export interface PermissionPorts {
  readonly approve: Approver;
  readonly approvals: KeptApprovals;
  readonly events: Emitter<HostEvent>;
}

export class CallPermission {
  readonly #ports: PermissionPorts;
  /** As files have them, without what a person said. */
  #read: CallPolicies;
  #policies: CallPolicies;

  constructor(policies: CallPolicies, ports: PermissionPorts) {
    this.#read = policies;
    this.#policies = policies;
    this.#ports = ports;
  }

  get hooks(): Hooks {
    return this.#policies.hooks;
  }

  replace(policies: CallPolicies): void {
    this.#read = policies;
    const policy = policies.policy.with(this.#ports.approvals.spoken);
    this.#policies = { ...policies, policy };
  }

  /** What would be decided about a call, without asking the user. */
  decide(tool: CatalogTool, given: JsonObject): MaybePromise<Decision> {
    const { policy } = this.#policies;
    const call = withRealPaths(subjectOf(tool, given), policy);
    return call instanceof Promise ? call.then((one) => policy.decide(one)) : policy.decide(call);
  }

  /** The decision, and every rule that is about the call. */
  async explain(tool: CatalogTool, given: JsonObject): Promise<Explanation> {
    const { policy } = this.#policies;
    return policy.explain(await withRealPaths(subjectOf(tool, given), policy));
  }

  /** What hooks make of a result. */
  async review(
    call: ReviewedCall,
    result: ToolResult,
  ): Promise<Result<ReviewedResult, CallOutcome>> {
    const { tool } = call;
    const ran = await this.#policies.hooks.afterCall(call, result);
    switch (ran.kind) {
      case 'passed':
        return ok({ result: ran.value, failures: ran.failures });
      case 'blocked':
        return err(deniedCall(tool, `a hook: ${ran.by.reason}`, { kind: 'hook', hook: ran.by }));
      case 'cancelled':
        return err({ ...calledOf(tool), kind: 'cancelled' });
      default:
        return ran satisfies never;
    }
  }

  decideResource(resource: ResourceSubject): Decision {
    return this.#policies.policy.decideResource(resource);
  }

  permit(request: PermitRequest): MaybePromise<Permit> {
    if (this.#policies.hooks.has('beforeCall', request.tool)) return this.#permitWithHooks(request);
    const decision = this.decide(request.tool, request.arguments);
    return decision instanceof Promise
      ? decision.then((decided) => this.#settle(decided, request))
      : this.#settle(decision, request);
  }

  async #permitWithHooks(request: PermitRequest): Promise<Permit> {
    const { tool } = request;
    const first = await this.decide(tool, request.arguments);
    if (first.kind === 'deny') return this.#settle(first, request);
    const looked = await this.#looked(request);
    if (!looked.ok) return looked;
    if (looked.value === request) return this.#settle(first, request);
    return this.#settle(await this.decide(tool, looked.value.arguments), looked.value);
  }

  /** The same request where no hook changes its arguments. */
  async #looked(request: PermitRequest): Promise<Result<PermitRequest, CallOutcome>> {
    const { tool } = request;
    const { hooks } = this.#policies;
    if (!hooks.has('beforeCall', tool)) return ok(request);
    const ran = await hooks.beforeCall(tool, request.arguments, request);
    if (ran.kind === 'cancelled') return err({ ...calledOf(tool), kind: 'cancelled' });
    if (ran.kind === 'blocked') {
      const { reason } = ran.by;
      return err(deniedCall(tool, `a hook: ${reason}`, { kind: 'hook', hook: ran.by }));
    }
    if (!ran.isChanged) return ok(request);
    const checked = await request.check(ran.value);
    if (!checked.ok) return err(invalidArguments(tool, checked.error));
    return ok({ ...request, arguments: checked.value });
  }

  #settle(decided: Decision, request: PermitRequest): MaybePromise<Permit> {
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
    const asked = this.#asked(decision, request);
    const approval = this.#ports.approve(asked.request);
    return approval instanceof Promise
      ? this.#waited(approval, asked)
      : this.#answered(approval, asked);
  }

  async #waited(approval: Promise<Approval>, asked: Pending): Promise<Permit> {
    return this.#answered(await answerOf(approval, asked.permit.from), asked);
  }

  /** The decision where what was read into the conversation counts as well. */
  #withFlow(decision: Decision, { tool, arguments: given, from }: PermitRequest): Decision {
    const { conversation } = from;
    if (conversation === undefined || decision.kind === 'deny') return decision;
    const { flow } = this.#policies;
    const nature = flow.natureOf(tool.server);
    const labels = labelsOfTool({ ...tool, ...tool.definition }, nature);
    const reach = callReach(labels, nature, { tool: tool.tool, arguments: given });
    const concern = conversation.concernAbout(tool, { labels, reach, arguments: given });
    const mode = flow.modeOf(tool.server);
    if (concern === undefined || mode === 'off' || isNotOut(decision)) return decision;
    return { kind: mode, because: { kind: 'flow', concern, instead: decision.because } };
  }

  #asked(decision: Decision, permit: PermitRequest): Pending {
    const { tool, arguments: given, signal, from } = permit;
    const { approvals } = this.#ports;
    const { policy } = this.#policies;
    const { script } = from;
    const about = { tool, call: subjectOf(tool, given), decision, policy, script };
    const request: ApprovalRequest = {
      // Most who are asked do not look at all of it.
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
        decision.because.kind === 'default' && rules.some((rule) => approvals.isHeard(rule, about)),
      get taken() {
        return from.conversation?.takenIn(given) ?? [];
      },
      signal: abortSignalOf(signal),
      ...(from.asker === undefined ? {} : { asker: from.asker }),
      ...(from.callId === undefined ? {} : { callId: from.callId }),
      ...(script === undefined ? {} : { script }),
    };
    return { ...about, request, permit };
  }

  #answered(approval: Approval, asked: Pending): MaybePromise<Permit> {
    const { tool, request } = asked;
    asked.permit.observer?.approved('person', approval.kind);
    if (approval.kind === 'deny') {
      const { decision } = asked;
      const needs = this.#ports.approvals.needs(asked);
      return err({ ...deniedCall(tool, approval.reason, { kind: 'approver', decision }), needs });
    }
    const remember = rememberedAs(approval.remember, request);
    const { because } = asked.decision;
    if (because.kind === 'flow') {
      if (remember !== 'once') asked.permit.from.conversation?.approve(tool);
      // The same yes answers what would have been asked without the flow. It writes no rule.
      const plain = { ...asked, decision: { ...asked.decision, because: because.instead } };
      const limit = remember === 'once' ? 'once' : 'session';
      if (approval.arguments === undefined) return this.#kept(plain, { remember: limit });
    }
    if (approval.arguments !== undefined) {
      return this.#edited(asked, { given: approval.arguments, remember });
    }
    if (remember === 'once' && asked.policy === this.#policies.policy) return ok(request.arguments);
    return this.#kept(asked, { remember, rule: approval.rule });
  }

  /** Arguments that the user edited pass the same checks as the original ones. */
  async #edited(
    asked: Pending,
    { given, remember }: { readonly given: JsonObject; readonly remember: Remember },
  ): Promise<Permit> {
    const { tool, permit } = asked;
    const checked = await permit.check(given);
    if (!checked.ok) return err(invalidArguments(tool, checked.error));
    const edited = { ...permit, arguments: checked.value };
    const { policy } = this.#policies;
    const now = await this.decide(tool, edited.arguments);
    if (now.kind === 'deny') return this.#settle(now, edited);
    const looked = await this.#looked(edited);
    if (!looked.ok) return looked;
    // The user has not approved what a hook changed.
    if (looked.value !== edited) {
      return this.#settle(await this.decide(tool, looked.value.arguments), looked.value);
    }
    return this.#kept({ ...this.#asked(now, edited), policy }, { remember });
  }

  /** The rules may have changed while the user was asked. */
  async #kept(asked: Pending, as: RememberedAs): Promise<Permit> {
    const { tool, request, policy } = asked;
    if (policy !== this.#policies.policy) {
      const now = await this.decide(tool, request.arguments);
      if (now.kind === 'deny') {
        return err(deniedCall(tool, decisionReason(now), { kind: 'policy', decision: now }));
      }
    }
    const { approvals } = this.#ports;
    const before = approvals.spoken.length;
    const kept = await approvals.keep(asked, as);
    if (approvals.spoken.length !== before) this.replace(this.#read);
    if (kept !== undefined) this.#ports.events.emit(keptEvent(tool, kept));
    return ok(request.arguments);
  }
}

interface Pending extends ApprovalSubject {
  readonly request: ApprovalRequest;
  readonly permit: PermitRequest;
}

async function answerOf(approval: Promise<Approval>, { whileAsked }: Caller): Promise<Approval> {
  using _pause = whileAsked?.();
  return await approval;
}

/** A yes for one script never becomes one for all calls. */
function rememberedAs(remember: Remember = 'once', { offers }: ApprovalRequest): Remember {
  return remember === 'script' && !offers.includes('script') ? 'once' : remember;
}

/** For how long a yes to a flow may count: for the call, or for the tool in this conversation. */
const FLOW_OFFERS: readonly Remember[] = ['once', 'session'];

/** The rule that allows it says that such a call sends nothing out. */
function isNotOut({ because }: Decision): boolean {
  return because.kind === 'rule' && because.rule.isNotOut === true;
}

function subjectOf(
  { server, tool, name, definition }: CatalogTool,
  given: JsonObject,
): CallSubject {
  return { server, tool, name, claims: claimsOf(definition.annotations), arguments: given };
}
