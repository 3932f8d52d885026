// Reads the setting `hooks` of one source: commands that run before and after calls. An invalid hook always
// fails, since it is unknown which calls it would have stopped. Admission decides whose hooks may run.

import { isObject } from '@plugboard/base';
import {
  type Diagnostic,
  nameProblem,
  type Origin,
  type Scope,
  type ShapeValue,
  type ShapeProblem,
} from '../text/index.ts';
import { hookSettingsShape, hookShape } from './hook-shape.ts';
import type { WrittenSetting } from './read-permissions.ts';

export const HOOKS_KEY = 'hooks';

export type HookEvent = 'beforeCall' | 'afterCall' | 'elicitationResult';

export interface ConfiguredHook {
  readonly event: HookEvent;
  readonly scope: Scope;
  readonly origin: Origin;
  readonly tool?: string;
  readonly server?: string;
  readonly timeoutMs: number;
  /** The folder in which it starts, as written. */
  readonly cwd?: string;
  /** The folder to which its relative paths are relative. */
  readonly folder: string;
  readonly run:
    | { readonly kind: 'command'; readonly argv: readonly [string, ...string[]] }
    | { readonly kind: 'shell'; readonly line: string }
    | { readonly kind: 'unclear'; readonly reason: string };
}

export interface ReadHooks {
  readonly hooks: readonly ConfiguredHook[];
  readonly diagnostics: readonly Diagnostic[];
}

const EVENTS: readonly HookEvent[] = ['beforeCall', 'afterCall', 'elicitationResult'];
const DEFAULT_TIMEOUT_MS = 10_000;

/** Never throws. */
export function readHooks(setting: WrittenSetting): ReadHooks {
  const { value } = setting;
  if (!isObject(value)) {
    const words = 'must be an object';
    return joined([unclear(setting, { kind: 'wrong-type', path: [], words }, 'beforeCall')]);
  }
  const known = new Set<string>(EVENTS);
  const unknown = Object.fromEntries(Object.entries(value).filter(([key]) => !known.has(key)));
  const others = hookSettingsShape
    .problems(unknown)
    .map((problem) => unclear(setting, problem, 'beforeCall'));
  return joined([...others, ...EVENTS.flatMap((event) => hooksIn(setting, value[event], event))]);
}

interface ReadHook {
  readonly hook: ConfiguredHook;
  readonly diagnostics: readonly Diagnostic[];
}

function joined(read: readonly ReadHook[]): ReadHooks {
  return {
    hooks: read.map(({ hook }) => hook),
    diagnostics: read.flatMap(({ diagnostics }) => diagnostics),
  };
}

function hooksIn(setting: WrittenSetting, list: unknown, event: HookEvent): readonly ReadHook[] {
  if (list === undefined) return [];
  if (!Array.isArray(list)) {
    const words = 'must be a list of hooks';
    return [unclear(setting, { kind: 'wrong-type', path: [event], words }, event)];
  }
  return list.map((item: unknown, index) => readHook(setting, item, [event, index]));
}

function readHook(
  setting: WrittenSetting,
  value: unknown,
  path: readonly [HookEvent, number],
): ReadHook {
  const [event] = path;
  const [problem] = [...hookShape.problems(value), ...runProblems(value)];
  if (problem !== undefined) {
    return unclear(setting, { ...problem, path: [...path, ...problem.path] }, event);
  }
  // Without a problem, it has the type of its shape.
  const {
    tool,
    server,
    command = [],
    shell = '',
    cwd,
    timeout,
  } = value as ShapeValue<typeof hookShape>;
  const [program, ...args] = command;
  return {
    hook: {
      event,
      scope: setting.scope,
      origin: setting.originAt(setting.at(path, 'value')),
      ...(tool === undefined ? {} : { tool }),
      ...(server === undefined ? {} : { server }),
      timeoutMs: timeout ?? DEFAULT_TIMEOUT_MS,
      ...(cwd === undefined ? {} : { cwd }),
      folder: setting.folder,
      run:
        program === undefined
          ? { kind: 'shell', line: shell }
          : { kind: 'command', argv: [program, ...args] },
    },
    diagnostics: [],
  };
}

function runProblems(value: unknown): readonly ShapeProblem[] {
  const given = ['command', 'shell'].filter((key) => isObject(value) && value[key] !== undefined);
  const words = 'must have either "command" or "shell"';
  return given.length === 1 ? [] : [{ kind: 'bad-value', path: [], words }];
}

const EXAMPLE = '"hooks": { "beforeCall": [{ "tool": "files/*", "command": ["./check.sh"] }] }';

function unclear(
  { at, originAt, scope, folder }: WrittenSetting,
  problem: ShapeProblem,
  event: HookEvent,
): ReadHook {
  const { on, code, reason } = nameProblem(problem, [HOOKS_KEY]);
  const position = at(problem.path, on);
  return {
    hook: {
      event,
      scope,
      origin: originAt(position),
      timeoutMs: DEFAULT_TIMEOUT_MS,
      folder,
      run: { kind: 'unclear', reason },
    },
    diagnostics: [
      {
        severity: 'error',
        code,
        message: `${reason}. Until then it counts as failed.`,
        suggestion: `Write it like ${EXAMPLE}.`,
        ...position,
      },
    ],
  };
}
