// Reads the setting `pins`. Only the user and the machine's owner can set it: a repository could otherwise
// turn off the protection against itself.

import { getNodeValue } from '#jsonc-parser';
import {
  type Author,
  type Diagnostic,
  isForeign,
  misplacedDiagnostic,
  type Origin,
  propertyNamed,
  type Scope,
  type SettingsText,
} from '../text/index.ts';

const PINS_KEY = 'pins';
export const PIN_MODES = ['tofu', 'strict', 'off'] as const;

export interface PinSetting {
  readonly mode: (typeof PIN_MODES)[number];
  readonly scope: Scope;
  readonly origin: Origin;
}

/** Never throws. */
export function readPinSetting(
  settings: SettingsText,
  { scope, author }: { readonly scope: Scope; readonly author: Author },
): { readonly settings: readonly PinSetting[]; readonly diagnostics: readonly Diagnostic[] } {
  const written = propertyNamed(settings.root, PINS_KEY);
  if (written === undefined) return { settings: [], diagnostics: [] };
  const at = settings.at(written.key.offset);
  if (isForeign(author)) {
    return { settings: [], diagnostics: [misplacedDiagnostic(`"${PINS_KEY}"`, at)] };
  }
  const origin: Origin = { kind: 'file', ...at };
  const value: unknown = written.value && getNodeValue(written.value);
  const mode = PIN_MODES.find((each) => each === value);
  if (mode !== undefined) return { settings: [{ mode, scope, origin }], diagnostics: [] };
  // The value is unknown, but it was set deliberately: use the strictest mode.
  return {
    settings: [{ mode: 'strict', scope, origin }],
    diagnostics: [{ ...WRONG, ...settings.at(written.value?.offset ?? written.key.offset) }],
  };
}

const WRONG = {
  severity: 'error',
  code: 'bad-value',
  message: `"${PINS_KEY}" must be "tofu", "strict" or "off"; until then it is "strict".`,
  suggestion: `Write it like "${PINS_KEY}": "tofu".`,
} as const;
