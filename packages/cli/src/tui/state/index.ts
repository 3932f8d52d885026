export { formAnswer, type FormStep, newForm, stepForm } from './form.ts';
export type { Item } from './item.ts';
export { pushed } from './live.ts';
export { canWait, onEvent, withoutAsked } from './on-event.ts';
export { atUnseen, turned, UNREAD, unseenOf, withSeen } from './reading.ts';
export {
  type AskedAboutCall,
  type AskedAboutNotes,
  type AskedByServer,
  contentWidth,
  firstScreen,
  type FormDraft,
  foundRows,
  type OpenQuestion,
  type Panel,
  type PickerPanel,
  rowsForAsked,
  type RunningCommand,
  type Screen,
  type Size,
  STATUS_ROWS,
} from './screen.ts';
