import { describe } from 'vitest';
import { entra } from '#server/testing/directory-clients/entra.ts';
import { microsoft } from '#server/testing/directory-clients/microsoft.ts';
import { okta } from '#server/testing/directory-clients/okta.ts';
import { authentik, jumpCloud, oneLogin } from '#server/testing/directory-clients/others.ts';
import { testSteps } from '#server/testing/directory-clients/steps.ts';
import { useApp } from '#server/testing/use-app.ts';

// Each client sends its own requests and expects these answers. The next client is a row.

const app = useApp({ RATE_LIMIT_FACTOR: '10' });
describe.each([
  ['Entra ID', entra],
  ['Okta with its suites', okta],
  ['JumpCloud', jumpCloud],
  ['OneLogin', oneLogin],
  ['authentik', authentik],
  ['Microsoft’s collection', microsoft],
])('%s', (_, client) => {
  testSteps(app, client);
});
