/**
 * Starts the provider of the tests for people to look at, and says what to set for it.
 * `--port=` chooses its port, `--site=` the address under which the platform is reached.
 */
import { parseArgs } from 'node:util';
import { startDemoProvider, type DemoPerson } from './oidc-provider.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8090' },
    site: { type: 'string', default: 'http://127.0.0.1:8080' },
  },
});

const person = (sub: string, name: string, type: string): DemoPerson => ({
  sub,
  preferred_username: sub,
  name,
  email: `${sub}@grid.example`,
  email_verified: true,
  type,
});

const provider = await startDemoProvider({
  port: Number(values.port),
  clientID: 'hypercube',
  clientSecret: 'a-secret-for-demonstrations',
  callbacks: [`${values.site}/login/arose`, `${values.site}/login/scnet`],
  people: [
    person('zhaolin', '赵琳（本科生）', 'bachelor'),
    person('qianhao', '钱浩（研究生）', 'master'),
    person('sunyue', '孙悦（教师）', 'faculty'),
  ],
  title: '演示登录 / Demo sign-on',
});

const lines = ['AROSE', 'SCNET'].flatMap((name) => [
  `HC_SSO_${name}_ISSUER=${provider.issuer} \\`,
  `HC_SSO_${name}_CLIENT_ID=hypercube \\`,
  `HC_SSO_${name}_CLIENT_SECRET=a-secret-for-demonstrations \\`,
  `HC_SSO_${name}_TYPES=faculty=teacher,master=graduate \\`,
]);
process.stdout.write(
  [
    `The provider runs at ${provider.issuer}. Start the platform with it:`,
    '',
    ...lines,
    `HC_PUBLIC_URL=${values.site} npm start`,
    '',
    'Then choose one of the two on the login page. Ctrl-C ends the provider.',
    '',
  ].join('\n'),
);
