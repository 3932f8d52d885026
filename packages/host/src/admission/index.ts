export {
  type Admission,
  type AdmittedServer,
  type TrustGround,
  trustSubject,
} from './admission.ts';
export type { Consent, FieldChange, TrustStanding } from './consents.ts';
export { findDuplicates, type SignedServer, signatureOf } from './duplicates.ts';
export {
  type BlockingRule,
  type JudgedServer,
  judgePolicy,
  type PolicyVerdict,
} from './judge-policy.ts';
export { type LaunchRisk, risksOf } from './launch-risks.ts';
export type { LaunchTarget } from './launch-target.ts';
export { hasForeignSay, type SourcedField } from './needs-trust.ts';
export {
  approve,
  readTrust,
  revoke,
  type Trust,
  type TrustOptions,
  type TrustProblem,
} from './trust-store.ts';
export { trustHash, type TrustLaunch, type TrustSubject } from './trust-subject.ts';
export {
  type AdmittedConfiguration,
  connectorSettings,
  readConfiguration,
  type ReadOptions,
} from './read-configuration.ts';
