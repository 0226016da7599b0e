/** `npm run bench`: prepares and runs the benchmarks; names choose some, see bench/README.md. */
import { buildPages, installDependencies, installSystemPackages, runNode } from './lib/prepare.mjs';

installSystemPackages(true);
installDependencies();
buildPages();
process.exit(runNode(['--expose-gc', 'bench/src/main.ts', ...process.argv.slice(2)]));
