// Reads the settings that only users can set, for all servers: the identity provider, how many servers
// connect at the same time, and what the gateway offers. Admission decides whose settings count.

import { callbackShapes } from '../fields/index.ts';
import { SECRET_NAME } from '../resolve/index.ts';
import {
  type ConfigFile,
  type Diagnostic,
  exactFields,
  type SettingsText,
  type ShapeValue,
  type StatementPlace,
  notBlank,
  text,
  wholeNumber,
} from '../text/index.ts';
import { gatewayShape } from './gateway-shape.ts';
import { readObjectSetting } from './object-setting.ts';

const IDENTITY_PROVIDER_KEY = 'identityProvider';
const LIMITS_KEY = 'limits';
const GATEWAY_KEY = 'gateway';

export const identityProviderShape = exactFields(
  {
    issuer: notBlank,
    tokenEndpoint: notBlank,
    clientId: notBlank,
    clientSecret: text({
      pattern: new RegExp(`^\\$\\{secret:${SECRET_NAME}\\}$`),
      words: 'must be written as ${secret:NAME}; store it: plugboard secret set NAME',
    }),
    ...callbackShapes,
  },
  { required: ['issuer', 'clientId'] },
);

const atOnce = wholeNumber({ min: 1, max: 1000, unit: 'servers' });

export const limitsShape = exactFields({ connectingLocal: atOnce, connectingRemote: atOnce });

type ProviderFields = ShapeValue<typeof identityProviderShape>;

export interface IdentityProviderSetting extends ProviderFields, StatementPlace {
  readonly issuer: string;
  readonly clientId: string;
}

export interface LimitsSetting extends ShapeValue<typeof limitsShape>, StatementPlace {}

export interface GatewaySetting extends ShapeValue<typeof gatewayShape>, StatementPlace {}

export interface OwnSettings {
  /** None or one. */
  readonly identityProviders: readonly IdentityProviderSetting[];
  /** None or one. */
  readonly limits: readonly LimitsSetting[];
  /** None or one. */
  readonly gateway: readonly GatewaySetting[];
}

export const NO_OWN_SETTINGS: OwnSettings = { identityProviders: [], limits: [], gateway: [] };

export const IDENTITY_PROVIDER_EXAMPLE = `"${IDENTITY_PROVIDER_KEY}": { "issuer": "https://login.example.com", "clientId": "some-client" }`;

const PROVIDER = {
  key: IDENTITY_PROVIDER_KEY,
  shape: identityProviderShape,
  suggestion: `Write it like ${IDENTITY_PROVIDER_EXAMPLE}.`,
};

const LIMITS = {
  key: LIMITS_KEY,
  shape: limitsShape,
  suggestion: `Write it like "${LIMITS_KEY}": { "connectingLocal": 3, "connectingRemote": 20 }.`,
};

const GATEWAY = {
  key: GATEWAY_KEY,
  shape: gatewayShape,
  suggestion: `Write it like "${GATEWAY_KEY}": { "profiles": { "work": { "servers": ["files"] } } }.`,
};

/** Never throws. */
export function readOwnSettings(
  settings: SettingsText | undefined,
  file: Pick<ConfigFile, 'scope' | 'format'>,
): OwnSettings & { readonly diagnostics: readonly Diagnostic[] } {
  const { scope } = file;
  const provider = readObjectSetting(settings, file, PROVIDER);
  const limits = readObjectSetting(settings, file, LIMITS);
  const gateway = readObjectSetting(settings, file, GATEWAY);
  // An incomplete provider is ignored; a valid limit counts even if the other one is invalid.
  const isWhole = provider !== undefined && provider.diagnostics.length === 0;
  return {
    identityProviders: isWhole
      ? // The shape has checked every field.
        [{ ...(provider.right as ProviderFields & RequiredFields), scope, origin: provider.origin }]
      : [],
    limits: limits === undefined ? [] : [{ ...limits.right, scope, origin: limits.origin }],
    gateway: gateway === undefined ? [] : [{ ...gateway.right, scope, origin: gateway.origin }],
    diagnostics: [provider, limits, gateway].flatMap((read) => read?.diagnostics ?? []),
  };
}

type RequiredFields = Pick<IdentityProviderSetting, 'issuer' | 'clientId'>;
