import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where packages come from while images are built. */
export interface BuildSettings {
  /** Address of the Debian archive. */
  mirror: string;
  securityMirror: string;
  /** Lines of the host's apt configuration that say how to reach an archive. */
  apt: readonly string[];
}

const publicMirror = 'http://deb.debian.org/debian';
const publicSecurityMirror = 'http://deb.debian.org/debian-security';
const certificates = '/etc/ssl/certs/ca-certificates.crt';
const lentAt = '/mnt';

/**
 * Reads how this host reaches its packages: behind a proxy or a private certificate authority, or
 * from a near mirror. `HC_DEBIAN_MIRROR` overrules what the host's apt says.
 */
export function readBuildSettings(): BuildSettings {
  const dump = output('apt-config', ['dump']);
  const apt = dump
    .split('\n')
    .filter((line) => /^Acquire::(https?|Check-Valid-Until|Check-Date|ForceIPv[46])\b/.test(line));
  const sites = output('apt-get', [
    'indextargets',
    '--format',
    '$(REPO_URI) $(COMPONENT)',
    'Created-By: Packages',
  ]).split('\n');
  const find = (pattern: RegExp) =>
    sites
      .find((line) => pattern.test(line))
      ?.split(' ')[0]
      ?.replace(/\/$/, '');
  const mirror = process.env['HC_DEBIAN_MIRROR'] ?? find(/^https?:\S+\/debian\/? main$/);
  return {
    mirror: mirror ?? publicMirror,
    securityMirror: find(/^https?:\S+\/debian-security\/? main$/) ?? publicSecurityMirror,
    apt,
  };
}

/**
 * Writes the settings into a folder that the Containerfiles mount on /mnt for single steps. It is
 * a mount and never a copy, so no layer of an image remembers where it was built.
 */
export function writeBuildSettings(settings: BuildSettings, directory: string): void {
  mkdirSync(directory, { recursive: true });
  const environment: Record<string, string> = { APT_CONFIG: `${lentAt}/apt.conf` };
  const apt = [
    ...settings.apt,
    'Acquire::Languages "none";',
    'Acquire::Retries "3";',
    `Dir::Etc::SourceList "${lentAt}/sources.list";`,
    'Dir::Etc::SourceParts "/dev/null";',
  ];

  for (const name of ['http_proxy', 'https_proxy', 'no_proxy', 'all_proxy']) {
    const value = process.env[name] ?? process.env[name.toUpperCase()];
    if (value) environment[name] = value;
  }
  for (const name of ['PIP_INDEX_URL', 'PIP_EXTRA_INDEX_URL', 'PIP_TRUSTED_HOST']) {
    const value = process.env[name];
    if (value) environment[name] = value;
  }
  if (existsSync(certificates)) {
    copyFileSync(certificates, join(directory, 'ca-certificates.crt'));
    const lent = `${lentAt}/ca-certificates.crt`;
    for (const name of [
      'SSL_CERT_FILE',
      'CURL_CA_BUNDLE',
      'REQUESTS_CA_BUNDLE',
      'PIP_CERT',
      'NODE_EXTRA_CA_CERTS',
      'GIT_SSL_CAINFO',
      'npm_config_cafile',
    ]) {
      environment[name] = lent;
    }
    apt.push(`Acquire::https::CAInfo "${lent}";`);
  }

  const pip = join('/etc', 'pip.conf');
  if (existsSync(pip)) {
    // Its certificate path is one of the host.
    const text = readFileSync(pip, 'utf8').replaceAll(/^\s*(cert|find-links)\s*=.*$/gm, '');
    writeFileSync(join(directory, 'pip.conf'), text);
    environment['PIP_CONFIG_FILE'] = `${lentAt}/pip.conf`;
  }
  // Only what says where packages are; a token in the same file is nobody's business.
  const npm = [join('/etc', 'npmrc'), join(homedir(), '.npmrc')]
    .filter((path) => existsSync(path))
    .flatMap((path) => readFileSync(path, 'utf8').split('\n'))
    .filter((line) => /^(registry|proxy|https-proxy|noproxy|strict-ssl)\s*=/.test(line));
  writeFileSync(join(directory, 'npmrc'), `${npm.join('\n')}\n`);
  environment['npm_config_userconfig'] = `${lentAt}/npmrc`;

  writeFileSync(
    join(directory, 'sources.list'),
    [
      `deb ${settings.mirror} trixie main`,
      `deb ${settings.mirror} trixie-updates main`,
      `deb ${settings.securityMirror} trixie-security main`,
      '',
    ].join('\n'),
  );
  writeFileSync(join(directory, 'apt.conf'), `${apt.join('\n')}\n`);
  const lines = Object.entries(environment).map(
    ([name, value]) => `export ${name}=${quote(value)}`,
  );
  writeFileSync(join(directory, 'env'), `${lines.join('\n')}\n`);
}

function quote(value: string): string {
  return `'${value.replaceAll("'", "'\\''")}'`;
}

/** What a program prints, or nothing where it is not installed. */
function output(program: string, args: string[]): string {
  const result = spawnSync(program, args, { encoding: 'utf8', timeout: 20_000 });
  return result.status === 0 ? result.stdout : '';
}
