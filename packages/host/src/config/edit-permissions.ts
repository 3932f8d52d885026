// Adds a rule about calls to a file of settings. How a file is read, locked and written is not decided
// here.

import { err, type Result } from '@plugboard/base';
import { getNodeValue } from '#jsonc-parser';
import { applyEdit, edited, type Edited, type EditProblem } from './apply-edit.ts';
import type { Diagnostic } from './diagnostic.ts';
import { placesOf, type Property, propertyNamed } from './document.ts';
import { insertItem, insertProperty } from './edit-text.ts';
import type { WrittenPermissionRule } from './permission-shape.ts';
import { type PermissionEffect, PERMISSIONS_KEY } from './read-permissions.ts';

export interface RuleToAdd {
  readonly file: string;
  readonly effect: PermissionEffect;
  readonly rule: WrittenPermissionRule;
}

interface RuleAdded {
  readonly kind: 'added' | 'unchanged';
}

export async function addPermissionRule({
  file,
  effect,
  rule,
}: RuleToAdd): Promise<Result<RuleAdded, EditProblem>> {
  return applyEdit(file, ({ text, root }): Result<Edited<RuleAdded>, EditProblem> => {
    const setting = propertyNamed(root, PERMISSIONS_KEY);
    if (setting === undefined) {
      const property = { name: PERMISSIONS_KEY, value: { [effect]: [rule] } };
      return edited(insertProperty(text, root, property), 'added');
    }
    const { value } = setting;
    if (value?.type !== 'object')
      return err(wrongType({ file, text, setting, words: 'an object' }));
    const list = propertyNamed(value, effect);
    if (list === undefined) {
      return edited(insertProperty(text, value, { name: effect, value: [rule] }), 'added');
    }
    if (list.value?.type !== 'array') {
      return err(wrongType({ file, text, setting: list, words: 'a list of rules' }));
    }
    const known = getNodeValue(list.value) as readonly unknown[];
    const isKnown = known.some((one) => JSON.stringify(one) === JSON.stringify(rule));
    return isKnown
      ? edited(text, 'unchanged')
      : edited(insertItem(text, list.value, rule), 'added');
  });
}

function wrongType(wrong: {
  readonly file: string;
  readonly text: string;
  readonly setting: Property;
  readonly words: string;
}): EditProblem {
  const { file, text, setting, words } = wrong;
  const diagnostic: Diagnostic = {
    severity: 'error',
    code: 'wrong-type',
    message: `"${setting.name}" must be ${words}.`,
    suggestion: 'Write it like "permissions": { "allow": ["mcp__docs__*"] }.',
    file,
    ...placesOf(text)((setting.value ?? setting.key).offset),
  };
  return { kind: 'invalid-file', diagnostic };
}
