import { execFile, spawn } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { findProgram } from './podman-service.ts';

const run = promisify(execFile);

/**
 * Firewall rules that keep sessions from the host. A session's network has no way out, but its
 * gateway address is the host itself: without rules every service that listens on 0.0.0.0 (or on
 * the link-local IPv6 address of the bridge) answers to learners.
 *
 * The rules go by the bridges' names, which begin with the installation's prefix, so they stand
 * before the first network exists and cannot be dodged with a forged source address.
 */
export interface HostShield {
  /** Puts the rules in place; does nothing where they are. False if this host cannot. */
  raise(): Promise<boolean>;
  isRaised(): Promise<boolean>;
  /**
   * Takes IPv6 from a bridge and the host's ends of its cables, where this host can. Sessions have
   * none; and the address that each would get a second or two after a start is a change of network
   * to a browser on the same machine, which then fails whatever it is loading.
   */
  quieten(bridge: string): Promise<void>;
  /** Takes the rules of this installation away. */
  lower(): Promise<void>;
}

export type FirewallTool = 'iptables' | 'nft';

/** Makes the shield of the bridges whose names begin with `bridgePrefix`. */
export function createHostShield(
  installation: string,
  bridgePrefix: string,
  tool: FirewallTool | null = firewallTools()[0] ?? null,
): HostShield {
  if (process.getuid?.() !== 0 || tool === null) return noShield;
  return tool === 'iptables'
    ? iptablesShield(installation, bridgePrefix)
    : nftShield(installation, bridgePrefix);
}

/** What this machine has, best first: podman and Docker of today both write with iptables. */
export function firewallTools(): FirewallTool[] {
  const tools: FirewallTool[] = ['iptables', 'nft'];
  return tools.filter((name) => findProgram(name) !== null);
}

export const noShield: HostShield = {
  raise: () => Promise.resolve(false),
  isRaised: () => Promise.resolve(false),
  quieten: () => Promise.resolve(),
  lower: () => Promise.resolve(),
};

async function quieten(bridge: string): Promise<void> {
  const ends = await readdir(`/sys/class/net/${bridge}/brif`).catch(() => []);
  await Promise.all(
    // Without IPv6 in the kernel, or where its settings may not be written, there is nothing to do.
    [bridge, ...ends].map((name) =>
      writeFile(`/proc/sys/net/ipv6/conf/${name}/disable_ipv6`, '1').catch(() => undefined),
    ),
  );
}

function iptablesShield(installation: string, bridgePrefix: string): HostShield {
  const bridges = `${bridgePrefix}+`;
  const comment = ['-m', 'comment', '--comment', `hypercube ${installation}`];
  const input = `HC-${installation}-IN`;
  const forward = `HC-${installation}-FW`;
  // Declaring a chain empties it, and the whole text is one transaction. Answers to what the host
  // began (the proxy, health checks) may come back; all else may not. Traffic inside one bridge
  // passes FORWARD where br_netfilter is loaded, hence `! -o`.
  const chains = `*filter
:${input} - [0:0]
:${forward} - [0:0]
-A ${input} -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT
-A ${input} -j REJECT
-A ${forward} -i ${bridges} ! -o ${bridges} -j DROP
-A ${forward} ! -i ${bridges} -o ${bridges} -j DROP
COMMIT
`;
  const jumps = [
    ['INPUT', '-i', bridges, ...comment, '-j', input],
    ['FORWARD', ...comment, '-j', forward],
  ] as const;

  async function has(program: string, jump: readonly string[]): Promise<boolean> {
    return run(program, ['-w', '-C', ...jump]).then(
      () => true,
      () => false,
    );
  }

  async function raise(program: string): Promise<boolean> {
    if (!(await feed(`${program}-restore`, ['-w', '--noflush'], chains))) return false;
    for (const jump of jumps) {
      if (!(await has(program, jump))) await run(program, ['-w', '-I', ...jump]);
    }
    return true;
  }

  async function lower(program: string): Promise<void> {
    for (const jump of jumps) {
      while (await has(program, jump)) await run(program, ['-w', '-D', ...jump]);
    }
    for (const chain of [input, forward]) {
      await run(program, ['-w', '-F', chain]).catch(() => undefined);
      await run(program, ['-w', '-X', chain]).catch(() => undefined);
    }
  }

  return {
    async raise() {
      const isRaised = await raise('iptables').catch(() => false);
      // IPv6 may be switched off in the kernel; then there is nothing to shield from.
      await raise('ip6tables').catch(() => false);
      return isRaised;
    },
    async isRaised() {
      for (const jump of jumps) if (!(await has('iptables', jump))) return false;
      const { stdout } = await run('iptables', ['-w', '-S', input]).catch(() => ({ stdout: '' }));
      return stdout.includes('REJECT');
    },
    quieten,
    async lower() {
      await lower('iptables');
      await lower('ip6tables').catch(() => undefined);
    },
  };
}

function nftShield(installation: string, bridgePrefix: string): HostShield {
  const table = `hypercube_${installation}`;
  const bridges = `"${bridgePrefix}*"`;
  // Deleting what may not exist would fail; declaring it first makes the whole one transaction.
  const ruleset = `table inet ${table} {}
delete table inet ${table}
table inet ${table} {
  chain input {
    type filter hook input priority -10; policy accept;
    iifname ${bridges} ct state established,related accept
    iifname ${bridges} reject
  }
  chain forward {
    type filter hook forward priority -10; policy accept;
    iifname ${bridges} oifname != ${bridges} drop
    iifname != ${bridges} oifname ${bridges} drop
  }
}
`;
  return {
    raise: () => feed('nft', ['-f', '-'], ruleset),
    isRaised: () =>
      run('nft', ['list', 'table', 'inet', table]).then(
        ({ stdout }) => stdout.includes('reject') && stdout.includes('drop'),
        () => false,
      ),
    quieten,
    lower: async () => {
      await run('nft', ['delete', 'table', 'inet', table]).catch(() => undefined);
    },
  };
}

/** Runs a program with a text on its standard input; true when it succeeds. */
function feed(program: string, args: string[], text: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['pipe', 'ignore', 'ignore'] });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
    child.stdin.end(text);
  });
}
