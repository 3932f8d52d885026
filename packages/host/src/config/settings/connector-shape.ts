// A connector: an address that lists the remote servers of an account. It is reached as such a server would be.

import { ENTRY_FIELDS } from '../fields/index.ts';
import { fields } from '../text/index.ts';

export const connectorShape = fields({
  url: ENTRY_FIELDS.url.shape,
  headers: ENTRY_FIELDS.headers.shape,
  headersHelper: ENTRY_FIELDS.headersHelper.shape,
});
