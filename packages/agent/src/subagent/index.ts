export { DelegatingToolbox, type DelegatingOptions } from './delegating-toolbox.ts';
