// Chooses the model, and explains what to set if there is none.

import {
  chooseModel,
  type ChoiceProblem,
  type ModelChoice,
  type ModelSettings,
  type Way,
} from '@plugboard/agent';
import { type ChatSetting, type HostEnvironment, strongest } from '@plugboard/host/configuration';
import type { ModelWay, Opening } from '../chat/index.ts';

export interface ModelSources {
  readonly environment: Pick<HostEnvironment, 'env'>;
  /** The user's own settings, strongest first. */
  readonly chat: readonly ChatSetting[];
}

export function modelChoice(flag: string | undefined, sources: ModelSources): ModelChoice {
  const { env } = sources.environment;
  const settings = modelSettings(sources);
  return chooseModel({ ...(flag === undefined ? {} : { flag }), settings, env });
}

/** The strongest settings of a provider replace all weaker ones. */
function modelSettings({ chat, environment: { env } }: ModelSources): ModelSettings {
  const model = strongest(chat, 'model');
  const written = Object.assign(
    {},
    ...chat.toReversed().map(({ providers }) => providers),
  ) as NonNullable<ChatSetting['providers']>;
  const providers = Object.entries(written).map(([name, { apiKeyVariable, ...provider }]) => {
    const apiKey = apiKeyVariable === undefined ? undefined : env[apiKeyVariable];
    return [name, { ...provider, ...(apiKey === undefined ? {} : { apiKey }) }];
  });
  return {
    ...(model === undefined ? {} : { model }),
    providers: Object.fromEntries(providers) as NonNullable<ModelSettings['providers']>,
  };
}

export function openingModel(choice: ModelChoice): Opening['model'] {
  if (choice.kind === 'chosen') return { kind: 'chosen', name: choice.model.name };
  const { problem } = choice;
  return {
    kind: 'none',
    ways: choice.ways.map(wayWords),
    ...(problem.kind === 'nothing-set' ? {} : { problem: problemWords(problem) }),
  };
}

function wayWords({ title, keys, addresses, example }: Way): ModelWay {
  const [key] = keys;
  const [address] = addresses;
  const flag = `plugboard chat --model ${example}`;
  if (key !== undefined) return { provider: title, set: `export ${key}=…` };
  return { provider: title, set: address === undefined ? flag : `${address}=… ${flag}` };
}

/** What to do if there is no model, for a command. */
export function problemFix({ problem, ways }: Extract<ModelChoice, { kind: 'none' }>): string {
  switch (problem.kind) {
    case 'nothing-set': {
      const keys = ways.flatMap((way) => way.keys.slice(0, 1));
      return `set one of ${keys.join(', ')}; or use a model on this machine: --model ollama/NAME`;
    }
    case 'unknown-provider':
      return 'write it as provider/name, for example: --model ollama/qwen3';
    case 'no-model':
      return `name one: --model ${problem.provider}/NAME`;
    case 'no-key':
    case 'no-address':
      return `set it: export ${problem.variables[0] ?? ''}=…`;
    case 'bad-address':
    case 'open-address':
      return 'correct the address, where it is set or under "chat" in your settings';
    default:
      return problem satisfies never;
  }
}

export function problemWords(problem: ChoiceProblem): string {
  switch (problem.kind) {
    case 'nothing-set':
      return 'no model is set';
    case 'unknown-provider':
      return `there is no provider "${problem.wanted}"; there are ${problem.known.join(', ')}`;
    case 'no-key':
      return `${problem.provider} needs a key: set ${problem.variables.join(' or ')}`;
    case 'no-model':
      return `no model of ${problem.provider} is named: write --model ${problem.provider}/NAME`;
    case 'no-address':
      return `${problem.provider} has no address: set ${problem.variables.join(' or ')}`;
    case 'bad-address':
      return `"${problem.address}" is not an address for ${problem.provider}`;
    case 'open-address':
      return `"${problem.address}" would send the key of ${problem.provider} unencrypted: use https`;
    default:
      return problem satisfies never;
  }
}
