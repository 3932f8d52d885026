// Creates the chosen model. The vendor's package loads with the first request, so that a program does not wait for it
// when it starts.

import { type Clock, type Random, systemClock } from '@plugboard/base';
import type { Model, ModelEvent, ModelRequest } from '../conversation/index.ts';
import { boundedFetch, type Fetch } from './bounded-fetch.ts';
import type { ChosenModel } from './choose-model.ts';
import { classifyFailure } from './classify-failure.ts';
import { contextTokensOf, costOf } from './known-models.ts';
import { PATIENCE, type Patience } from './patience.ts';
import type { ProviderKind } from './providers.ts';
import { type ModelConnection, streamModel } from './stream-model.ts';
import type { OpenVendor } from './vendor.ts';

export interface ModelPorts {
  readonly clock?: Clock;
  readonly random?: Random;
  /** The runtime's own, by default. */
  readonly fetch?: Fetch;
  readonly patience?: Partial<Patience>;
}

export function createModel(chosen: ChosenModel, ports: ModelPorts = {}): Model {
  const { name } = chosen;
  const { clock = systemClock } = ports;
  const connect = loadedOnce(chosen, ports);
  return {
    name,
    contextTokens: chosen.contextTokens ?? contextTokensOf(name),
    stream: (request, signal) => stream(request, signal),
    costOf: (usage) => costOf(name, usage, clock.now()),
  };

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    let connected: ModelConnection;
    try {
      connected = await connect();
    } catch (thrown) {
      const { failure } = classifyFailure(thrown, clock.now(), chosen.apiKey);
      yield { kind: 'failed', failure: { ...failure, kind: 'other' } };
      return;
    }
    yield* streamModel(connected, request, signal);
  }
}

function loadedOnce(chosen: ChosenModel, ports: ModelPorts): () => Promise<ModelConnection> {
  let loading: Promise<ModelConnection> | undefined;
  return () => (loading ??= load());

  async function load(): Promise<ModelConnection> {
    const [open, { ToolFitter }] = await Promise.all([
      WIRES[chosen.kind].load(),
      import('./fit-tools.ts'),
    ]);
    const { name, kind, apiKey: secret } = chosen;
    const { clock = systemClock, random = Math.random } = ports;
    const vendor = await open({ ...chosen, fetch: boundedFetch(ports.fetch ?? globalThis.fetch) });
    const fitter = new ToolFitter(vendor.schemas);
    const patience = { ...PATIENCE, ...WIRES[kind].patience, ...ports.patience };
    const search = { kind: chosen.toolSearch };
    return { name, vendor, fitter, secret, clock, random, patience, search };
  }
}

interface Wire {
  readonly load: () => Promise<OpenVendor>;
  /** Differences from the defaults. */
  readonly patience?: Partial<Patience>;
}

const WIRES: Readonly<Record<ProviderKind, Wire>> = {
  anthropic: { load: async () => (await import('./anthropic.ts')).openAnthropic },
  openai: { load: async () => (await import('./openai.ts')).openOpenAi },
  google: { load: async () => (await import('./google.ts')).openGoogle },
  compatible: {
    load: async () => (await import('./compatible.ts')).openCompatible,
    // A local machine may process a long prompt for minutes before its first output.
    patience: { idleMs: 290_000 },
  },
};
