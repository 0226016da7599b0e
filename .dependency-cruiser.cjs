/** The plan of the house as rules; see docs/guide/architecture.md. */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'contract-stands-alone',
      severity: 'error',
      from: { path: '^contract/' },
      to: { path: '^(?:server|web|messages|bench|e2e)/' },
    },
    {
      name: 'contract-needs-only-zod',
      severity: 'error',
      from: { path: '^contract/src' },
      to: { dependencyTypes: ['npm'], pathNot: 'node_modules/zod' },
    },
    {
      name: 'messages-know-only-the-contract',
      severity: 'error',
      from: { path: '^messages/src' },
      to: { path: '^(?:server|web|bench|e2e)/' },
    },
    {
      name: 'web-never-imports-server',
      severity: 'error',
      from: { path: '^web/src' },
      to: { path: '^(?:server|bench|e2e)/' },
    },
    {
      name: 'server-never-imports-web',
      severity: 'error',
      from: { path: '^server/src' },
      to: { path: '^(?:web|bench|e2e)/' },
    },
    {
      name: 'queries-stay-in-their-domain',
      comment:
        'A domain asks another one through its service (or its gateway, access, present), never its SQL.',
      severity: 'error',
      from: { path: '^server/src/domains/([^/]+)/' },
      to: {
        path: '^server/src/domains/([^/]+)/[^/]+\\.queries\\.ts$',
        pathNot: '^server/src/domains/$1/',
      },
    },
    {
      name: 'platform-knows-no-domain',
      severity: 'error',
      from: { path: '^server/src/platform/' },
      to: { path: '^server/src/(?:domains|gateway|engines)/' },
    },
    {
      name: 'engines-know-no-domain',
      severity: 'error',
      from: { path: '^server/src/engines/' },
      to: { path: '^server/src/(?:domains|gateway)/' },
    },
    {
      name: 'domains-know-no-gateway',
      severity: 'error',
      from: { path: '^server/src/domains/' },
      to: { path: '^server/src/gateway/' },
    },
    {
      name: 'pages-stay-in-their-domain',
      comment: 'A page of one domain uses another only through its api file or shared parts.',
      severity: 'error',
      from: { path: '^web/src/domains/([^/]+)/' },
      to: {
        path: '^web/src/domains/([^/]+)/[^/]+(?:Page|View)\\.tsx$',
        pathNot: '^web/src/domains/$1/',
      },
    },
    {
      name: 'ui-knows-no-domain',
      severity: 'error',
      from: { path: '^web/src/ui/' },
      to: { path: '^web/src/(?:domains|app)/' },
    },
    {
      name: 'tests-are-not-imported',
      severity: 'error',
      from: { pathNot: '\\.test\\.tsx?$' },
      to: { path: '\\.test\\.tsx?$' },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(?:web/dist|/node_modules/)' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
