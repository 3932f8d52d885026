// Enables or disables the built-in server `codebase` in a file of settings. apply-edit.ts reads, locks and
// writes the file.

import { err, type Result } from '@plugboard/base';
import { getNodeValue } from '#jsonc-parser';
import { placesOf, propertiesOf, propertyNamed } from '../text/index.ts';
import { applyEdit, edited, type EditProblem } from './apply-edit.ts';
import { insertProperty, removeProperty, replaceValue } from './edit-text.ts';

interface CodebaseSwitch {
  readonly kind: 'changed' | 'unchanged';
}

const KEY = 'codebase';
const FIELD = 'disabled';

/** Enabling removes the field that disables the server, and the setting if it has no other field. */
export async function switchCodebase(options: {
  readonly file: string;
  readonly to: 'enabled' | 'disabled';
}): Promise<Result<CodebaseSwitch, EditProblem>> {
  const { file, to } = options;
  return applyEdit<CodebaseSwitch>(file, ({ text, root }) => {
    const setting = propertyNamed(root, KEY);
    if (setting === undefined) {
      if (to === 'enabled') return edited(text, 'unchanged');
      const property = { name: KEY, value: { [FIELD]: true } };
      return edited(insertProperty(text, root, property), 'changed');
    }
    const { value } = setting;
    if (value?.type !== 'object') {
      const diagnostic = {
        severity: 'error',
        code: 'wrong-type',
        message: `"${KEY}" must be an object.`,
        suggestion: `Write it like "${KEY}": { "${FIELD}": true }.`,
        file,
        ...placesOf(text)((value ?? setting.key).offset),
      } as const;
      return err({ kind: 'invalid-file', diagnostic });
    }
    const field = propertyNamed(value, FIELD);
    if (to === 'enabled') {
      if (field === undefined) return edited(text, 'unchanged');
      const isAll = propertiesOf(value).length === 1;
      return edited(
        isAll ? removeProperty(text, root, setting) : removeProperty(text, value, field),
        'changed',
      );
    }
    if (field === undefined) {
      return edited(insertProperty(text, value, { name: FIELD, value: true }), 'changed');
    }
    const isDisabled = field.value !== undefined && getNodeValue(field.value) === true;
    if (isDisabled) return edited(text, 'unchanged');
    return edited(replaceValue(text, value, { property: field, value: true }), 'changed');
  });
}
