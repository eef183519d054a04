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

/** What a distribution publishes about packages of its repository. */
export type Advisory = {
  id: string
  type: 'security' | 'bugfix'
  title: string
  severity?: string
  cves?: string[]
  rebootSuggested?: boolean
  packages: { name: string; version: string }[]
}

/** A signed repository in a folder, with these packages. */
export async function makeRpmRepository(
  key: SigningKey,
  packages: readonly RpmPackage[],
  advisories: readonly Advisory[] = [],
): Promise<string> {
  const folder = join(key.home, 'rpm-repository')
  await mkdir(folder, { recursive: true })
  for (const one of packages) await buildPackage(key, folder, one)
  execFileSync('createrepo_c', ['-q', folder])
  if (advisories.length > 0) {
    const path = join(key.home, 'updateinfo.xml')
    await writeFile(path, `<?xml version="1.0"?><updates>${advisories.map(advisoryXml).join('')}</updates>`)
    execFileSync('modifyrepo_c', ['--mdtype=updateinfo', path, join(folder, 'repodata')], { stdio: 'pipe' })
  }
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

function advisoryXml({ id, type, title, severity = 'None', cves = [], rebootSuggested, packages }: Advisory): string {
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const reboot = rebootSuggested ? '<reboot_suggested>True</reboot_suggested>' : ''
  const listed = packages.map(
    ({ name, version }) =>
      `<package name="${name}" version="${version}" release="1" epoch="0" arch="noarch" src="${name}-${version}-1.src.rpm">` +
      `<filename>${name}-${version}-1.noarch.rpm</filename>${reboot}</package>`,
  )
  const references = cves.map(
    (cve) => `<reference href="https://example.org/${cve}" id="${cve}" type="cve" title="${cve}"/>`,
  )
  return (
    `<update from="test@example.org" status="final" type="${type}" version="1"><id>${id}</id>` +
    `<title>${escaped(title)}</title><issued date="2026-03-11 10:00:00"/><severity>${severity}</severity>` +
    `<description>Described by a test\n  Update ID: OTHER-1\n</description>${reboot ? '<reboot_suggested/>' : ''}` +
    `<references>${references.join('')}</references>` +
    `<pkglist><collection><name>test</name>${listed.join('')}</collection></pkglist></update>`
  )
}
