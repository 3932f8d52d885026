// The door of `remote`: repositories of other machines, as folders of this one.

export { RemoteClone, type RemoteFolder } from './remote-clone.ts';
export { isRemote, type RemoteAddress, readRemote } from './remote-address.ts';
