export { type Admission, type AdmittedServer, trustSubject } from './admission.ts';
export type { Consent, FieldChange, TrustStanding } from './consents.ts';
export {
  approveNotes,
  declineNotes,
  type FolderNotes,
  notesOfConsent,
  type NotesProblem,
  type NotesStanding,
  readFolderNotes,
  readOwnNotes,
  revokeNotes,
} from './folder-notes.ts';
export { giveCommand, type HandedItem } from './handover.ts';
export type { BlockingRule } from './judge-policy.ts';
export { type LaunchRisk, risksOf } from './launch-risks.ts';
export { hasForeignSay } from './needs-trust.ts';
export { ownGrants, PROGRAM_GRANTS } from './own-grants.ts';
export type { AdmittedHook, AdmittedPermissions } from './admitted-settings.ts';
export { type AdmittedConfiguration, readConfiguration } from './read-configuration.ts';
export type { ScriptFile } from './script-files.ts';
export { approve, revoke, type TrustProblem } from './trust-edits.ts';
export { readTrust } from './trust-store.ts';
export { packageIn } from './unpinned-packages.ts';
export type { TrustSubject } from './trust-subject.ts';
