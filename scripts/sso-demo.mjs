/** `npm run sso:demo`: a single sign-on provider on this machine, for a demonstration. */
import { installDependencies, runNode } from './lib/prepare.mjs';

installDependencies();
process.exit(runNode(['server/src/testing/oidc-demo.ts', ...process.argv.slice(2)]));
