// The door of `remote`: repositories of other machines, as folders of this one.

export { RemoteClone } from './remote-clone.ts';
export { isRemote, readRemote } from './remote-address.ts';
