import { execFileSync, spawnSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { installDebianPackages } from '../../tools/debian-packages.ts'
import type { SigningKey } from './signing-key.ts'

const tools = ['rpm', 'rpmbuild', 'rpmsign', 'createrepo_c', 'gpg', 'dnf', 'zypper']

/** Why the tests with the tools of rpm cannot run. */
export const whyNoRpm = findReason()

function findReason(): string | undefined {
  // The tools change the root of their process to the folder of the test.
  if (process.getuid?.() !== 0) return 'only root may use another root folder'
  const isMissing = (tool: string) => spawnSync(tool, ['--version']).error !== undefined
  const failure = tools.some(isMissing) ? installDebianPackages() : undefined
  return tools.some(isMissing) ? `this machine lacks tools of rpm: ${failure}` : undefined
}

export type RpmPackage = { name: string; version: string; requires?: string }

/** A signed repository in a folder, with these packages. */
export async function makeRpmRepository(key: SigningKey, packages: readonly RpmPackage[]): Promise<string> {
  const folder = join(key.home, 'rpm-repository')
  await mkdir(folder, { recursive: true })
  for (const one of packages) await buildPackage(key, folder, one)
  execFileSync('createrepo_c', ['-q', folder])
  key.signFile(join(folder, 'repodata/repomd.xml'))
  return folder
}

async function buildPackage({ home }: SigningKey, folder: string, { name, version, requires }: RpmPackage) {
  const files = `/usr/share/${name}`
  const spec = [
    ...[`Name: ${name}`, `Version: ${version}`, 'Release: 1', 'Summary: Built by a test', 'License: None'],
    ...['BuildArch: noarch', ...(requires ? [`Requires: ${requires}`] : [])],
    ...['%description', 'Built by a test', '%install', `mkdir -p %{buildroot}${files}`],
    ...[`echo ${version} > %{buildroot}${files}/version`, '%files', files, ''],
  ]
  const path = join(home, `${name}-${version}.spec`)
  await writeFile(path, spec.join('\n'))
  const define = (name: string, value: string) => ['--define', `${name} ${value}`]
  execFileSync('rpmbuild', ['-bb', ...define('_topdir', join(home, 'build')), ...define('_rpmdir', folder), path], {
    stdio: 'pipe',
  })
  const signer = [
    ...define('__gpg', '/usr/bin/gpg'),
    ...define('_gpg_name', 'repository'),
    ...define('_gpg_path', home),
  ]
  execFileSync('rpmsign', [...signer, '--addsign', join(folder, `noarch/${name}-${version}-1.noarch.rpm`)], {
    stdio: 'pipe',
  })
}
