export { formAnswer, type FormStep, newForm, stepForm } from './form.ts';
export type { Item } from './item.ts';
export { withItems } from './live.ts';
export { canWait, onEvent, withoutQuestion } from './on-event.ts';
export { goToUnseen, turnPage, UNREAD, unseenLines, withSeen } from './reading.ts';
export {
  type ApprovalQuestion,
  type NotesQuestion,
  type ServerQuestion,
  contentWidth,
  firstScreen,
  type FormDraft,
  foundRows,
  type OpenQuestion,
  type Panel,
  type PickerPanel,
  questionRows,
  type RunningCommand,
  type Screen,
  type Size,
  STATUS_ROWS,
} from './screen.ts';
