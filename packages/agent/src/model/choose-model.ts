// Chooses the model: by the flag, else by the settings, else by the available key. Pure; it sends nothing, so an
// invalid key shows only with the first request.

import {
  isPrivate,
  type KnownProvider,
  PROVIDERS,
  type ProviderKind,
  versioned,
} from './providers.ts';

export interface ModelSettings {
  /** `provider/model`, or one of the two. */
  readonly model?: string;
  /** By name: known providers, or custom endpoints, which need an address. */
  readonly providers?: Readonly<Record<string, ProviderSettings>>;
}

export interface ProviderSettings {
  readonly baseUrl?: string;
  readonly apiKey?: string;
  /** The model if none is named. */
  readonly model?: string;
  readonly contextTokens?: number;
  /** How to search for tools if there are many; by default, natively if the model is known to support it. */
  readonly toolSearch?: ToolSearchKind;
}

/** `native`: the provider loads the found tools. `tools`: by three tools, which any model can use. */
export type ToolSearchKind = 'native' | 'tools';

export interface ModelWish {
  readonly flag?: string;
  readonly settings?: ModelSettings;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface ChosenModel {
  /** `provider/model`. */
  readonly name: string;
  readonly provider: string;
  readonly kind: ProviderKind;
  readonly model: string;
  readonly baseUrl: string;
  /** Empty if the endpoint needs none. */
  readonly apiKey: string;
  readonly contextTokens?: number;
  readonly toolSearch: ToolSearchKind;
}

export type ModelChoice =
  | { readonly kind: 'chosen'; readonly model: ChosenModel }
  | { readonly kind: 'none'; readonly problem: ChoiceProblem; readonly ways: readonly Way[] };

export type ChoiceProblem =
  /** No model was named, and there is no key. */
  | { readonly kind: 'nothing-set' }
  | {
      readonly kind: 'unknown-provider';
      readonly wanted: string;
      readonly known: readonly string[];
    }
  | { readonly kind: 'no-key'; readonly provider: string; readonly variables: readonly string[] }
  | { readonly kind: 'no-model'; readonly provider: string }
  | {
      readonly kind: 'no-address';
      readonly provider: string;
      readonly variables: readonly string[];
    }
  | { readonly kind: 'bad-address'; readonly provider: string; readonly address: string }
  /** The key would be sent over the network unencrypted. */
  | { readonly kind: 'open-address'; readonly provider: string; readonly address: string };

/** What a user can set to get a model of a provider. */
export interface Way {
  readonly provider: string;
  readonly title: string;
  /** One of them is enough. */
  readonly keys: readonly string[];
  /** The variables of the address, if the endpoint has no default one. */
  readonly addresses: readonly string[];
  /** For `--model`. */
  readonly example: string;
}

export function ways(): readonly Way[] {
  return PROVIDERS.map((provider) => ({
    provider: provider.name,
    title: provider.title,
    keys: provider.needsKey === 'yes' ? provider.keyVariables : [],
    addresses: provider.address === undefined ? provider.addressVariables : [],
    example: `${provider.name}/${provider.defaultModel ?? provider.exampleModel ?? 'model'}`,
  }));
}

export function chooseModel(wish: ModelWish): ModelChoice {
  const named = nonBlank(wish.flag) ?? nonBlank(wish.settings?.model);
  if (named !== undefined) return resolveNamedModel(named, wish);
  const provider = availableProvider(wish);
  return provider === undefined
    ? none({ kind: 'nothing-set' })
    : complete(provider, undefined, wish);
}

function resolveNamedModel(name: string, wish: ModelWish): ModelChoice {
  const slash = name.indexOf('/');
  const head = slash === -1 ? name : name.slice(0, slash);
  const rest = slash === -1 ? undefined : nonBlank(name.slice(slash + 1));
  const provider = providerOf(head, wish);
  if (provider !== undefined) return complete(provider, rest, wish);
  const owner = PROVIDERS.find(({ modelNames }) => modelNames?.test(name));
  if (owner !== undefined) return complete(owner, name, wish);
  return none({ kind: 'unknown-provider', wanted: head, known: knownNames(wish) });
}

function knownNames({ settings }: ModelWish): string[] {
  const known = PROVIDERS.map(({ name }) => name);
  return [...new Set([...known, ...Object.keys(settings?.providers ?? {})])];
}

/** An unknown name in the settings is an endpoint with OpenAI's API. */
function providerOf(name: string, wish: ModelWish): KnownProvider | undefined {
  const known = PROVIDERS.find((provider) => provider.name === name);
  if (known !== undefined || settingsOf(name, wish) === undefined) return known;
  return {
    name,
    title: name,
    kind: 'compatible',
    keyVariables: [],
    addressVariables: [],
    modelVariables: [],
    needsKey: 'no',
  };
}

function settingsOf(name: string, { settings }: ModelWish): ProviderSettings | undefined {
  const providers = settings?.providers;
  return providers !== undefined && Object.hasOwn(providers, name) ? providers[name] : undefined;
}

function availableProvider(wish: ModelWish): KnownProvider | undefined {
  const own = Object.keys(wish.settings?.providers ?? {}).flatMap((name) => {
    const provider = providerOf(name, wish);
    return provider === undefined || PROVIDERS.includes(provider) ? [] : [provider];
  });
  return [...PROVIDERS, ...own].find((provider) => isAvailable(provider, wish));
}

function isAvailable(provider: KnownProvider, wish: ModelWish): boolean {
  if (provider.needsKey === 'yes') {
    // An endpoint with its own OPENAI_MODEL is not OpenAI itself.
    const isOther = provider.name === 'openai' && first(['OPENAI_MODEL'], wish) !== undefined;
    const isElsewhere = isOther && first(provider.addressVariables, wish) !== undefined;
    return apiKeyFor(provider, wish) !== '' && !isElsewhere;
  }
  const settings = settingsOf(provider.name, wish);
  const model = settings?.model ?? first(provider.modelVariables, wish);
  return nonBlank(model) !== undefined && addressOf(provider, wish) !== undefined;
}

function complete(
  provider: KnownProvider,
  wanted: string | undefined,
  wish: ModelWish,
): ModelChoice {
  const settings = settingsOf(provider.name, wish);
  const model =
    wanted ??
    nonBlank(settings?.model) ??
    first(provider.modelVariables, wish) ??
    provider.defaultModel;
  const apiKey = apiKeyFor(provider, wish);
  const address = addressOf(provider, wish);
  const { name, kind } = provider;
  if (provider.needsKey === 'yes' && apiKey === '') {
    return none({ kind: 'no-key', provider: name, variables: provider.keyVariables });
  }
  if (address === undefined) {
    return none({ kind: 'no-address', provider: name, variables: provider.addressVariables });
  }
  const baseUrl = versioned(address, kind);
  if (baseUrl === undefined) return none({ kind: 'bad-address', provider: name, address });
  if (apiKey !== '' && !isPrivate(baseUrl)) {
    return none({ kind: 'open-address', provider: name, address });
  }
  if (model === undefined) return none({ kind: 'no-model', provider: name });
  const contextTokens = settings?.contextTokens;
  return {
    kind: 'chosen',
    model: {
      name: `${name}/${model}`,
      provider: name,
      kind,
      model,
      baseUrl,
      apiKey,
      ...(contextTokens !== undefined && contextTokens > 0 && { contextTokens }),
      toolSearch: settings?.toolSearch ?? defaultSearch(provider, { model, baseUrl }),
    },
  };
}

/** At another address, a server that ignores unknown fields would give the model all definitions at once. */
function defaultSearch(
  { loadsTools, address = '', kind }: KnownProvider,
  { model, baseUrl }: Pick<ChosenModel, 'model' | 'baseUrl'>,
): ToolSearchKind {
  const isOwn = baseUrl === versioned(address, kind);
  return isOwn && loadsTools?.test(model) === true ? 'native' : 'tools';
}

function none(problem: ChoiceProblem): ModelChoice {
  return { kind: 'none', problem, ways: ways() };
}

/** The key of OpenAI is sent to an endpoint from the environment, but not to one from the settings. */
function apiKeyFor({ name, keyVariables }: KnownProvider, wish: ModelWish): string {
  const settings = settingsOf(name, wish);
  const isElsewhere = name === 'compatible' && nonBlank(settings?.baseUrl) !== undefined;
  return nonBlank(settings?.apiKey) ?? (isElsewhere ? '' : (first(keyVariables, wish) ?? ''));
}

function addressOf(provider: KnownProvider, wish: ModelWish): string | undefined {
  const { name, addressVariables, address } = provider;
  return nonBlank(settingsOf(name, wish)?.baseUrl) ?? first(addressVariables, wish) ?? address;
}

function first(variables: readonly string[], { env }: ModelWish): string | undefined {
  for (const variable of variables) {
    const value = nonBlank(env[variable]);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Pasted keys may end with a line break, and users unset variables by emptying them. */
function nonBlank(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === undefined || trimmed === '' ? undefined : trimmed;
}
