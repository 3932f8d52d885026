// All current key bindings, grouped by where they apply.

import type { JSX } from 'preact';
import { Dialog } from '../ui/dialog.tsx';
import { boundKeys } from '../ui/keys.ts';
import { singleKeys } from '../ui/preference.ts';

const SIGNS: Readonly<Record<string, string>> = {
  'mod+k': 'Ctrl K or ⌘K',
  Escape: 'Esc',
  ArrowLeft: '←',
  ArrowRight: '→',
};

export function KeysDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  return (
    <Dialog label="Keys" kind="keys-dialog" onClose={onClose}>
      <h2>Keys</h2>
      <div class="key-groups">
        {boundKeys.value.map(({ title, bindings }) => (
          <section key={title} aria-label={title}>
            <h3>{title}</h3>
            <dl>
              {bindings.map(({ keys, what }) => (
                <div key={keys}>
                  <dt>
                    <Keys keys={keys} />
                  </dt>
                  <dd>{what}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <label class="check">
        <input
          type="checkbox"
          checked={singleKeys.value === 'on'}
          onChange={({ currentTarget }) => {
            singleKeys.value = currentTarget.checked ? 'on' : 'off';
          }}
        />
        Keys without Ctrl or ⌘ work
      </label>
      <form method="dialog">
        <button type="submit" class="button">
          Close
        </button>
      </form>
    </Dialog>
  );
}

function Keys({ keys }: { readonly keys: string }): JSX.Element {
  const sign = SIGNS[keys];
  const each = sign === undefined ? keys.split(' ') : [sign];
  return (
    <>
      {each.map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </>
  );
}
