import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { findProgram } from '#server/testing/programs.ts';
import { hasSwift } from '#server/testing/swift.ts';
import { databaseProgramsFolder } from './database.ts';

const isInstalled = (name: string) => findProgram(name) !== undefined;

/** The programs of the stage and their Debian packages. Without Swift a folder stores the images. */
const parts = {
  PostgreSQL: { packages: ['postgresql'], isHere: () => databaseProgramsFolder() !== undefined },
  HAProxy: { packages: ['haproxy'], isHere: () => isInstalled('haproxy') },
  Redis: { packages: ['redis-server'], isHere: () => isInstalled('redis-server') },
  setpriv: { packages: ['util-linux'], isHere: () => isInstalled('setpriv') },
  Swift: {
    packages: ['swift-proxy', 'swift-account', 'swift-container', 'swift-object'],
    isHere: hasSwift,
  },
};
type PartName = keyof typeof parts;

const missingParts = () => (Object.keys(parts) as PartName[]).filter((name) => !parts[name].isHere());

/**
 * Installs missing programs if possible; returns the ones that the stage needs and that are still missing.
 */
export function prepareParts(say: (line: string) => void): PartName[] {
  const missing = missingParts();
  if (missing.length > 0 && process.getuid?.() === 0 && isInstalled('apt-get')) {
    say(`installing ${missing.join(', ')}`);
    install(missing.flatMap((name) => parts[name].packages));
  }
  return missingParts().filter((name) => name !== 'Swift');
}

const POLICY = '/usr/sbin/policy-rc.d';

/** Installs without starting any service: Debian asks the policy file, which is removed again. */
function install(packages: readonly string[]) {
  const hasPolicy = existsSync(POLICY);
  if (!hasPolicy) writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  const flags = ['install', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=120'];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  // A failed installation shows in the programs that are still missing.
  spawnSync('apt-get', [...flags, ...packages], { env, stdio: 'ignore' });
  if (!hasPolicy) rmSync(POLICY);
}
