import { dirname, join } from 'node:path'
import type { PatchScan, ScannedPatch } from '../../../protocol.ts'
import type { AptAccess } from './apt-access.ts'
import { lockName, parseLocked } from './apt-locks.ts'
import { parsePolicies, parseSources, updateOf } from './policy.ts'
import { mayNeedRestart } from './restart.ts'

/** The maximum that the server accepts. */
const maxPatches = 20_000

/**
 * apt does not record whether an installed version was an update. A version counts as one if it comes from a security suite
 * or if it was missing in an earlier scan.
 */
export async function scanPatches(
  access: AptAccess,
  product: string,
  known: ReadonlySet<string>,
): Promise<PatchScan | undefined> {
  const folders = await foldersOf(access)
  const packages = folders && (await installedPackages(access, folders.admin))
  if (!packages) return undefined
  const policies = await policiesOf(access, packages)
  const locked = new Set(parseLocked((await access.output('apt-mark', 'showhold')) ?? ''))
  const patches = new Map<string, ScannedPatch>()
  for (const { name, plainName, version, source, isSecurity, policy } of policies) {
    const update = updateOf(policy)
    const key = `${plainName} ${version}`
    // If several architectures are installed, a missing one takes precedence.
    if ((isSecurity || known.has(key)) && !patches.has(key)) {
      const installedUtc = await access.changedAt(join(folders.admin, 'info', `${name}.list`))
      patches.set(key, {
        ...patchOf(key, product, isSecurity),
        status: 'Installed',
        installedUtc: installedUtc?.toISOString() ?? null,
        component: { name: plainName, version, sourceName: source.name, sourceVersion: source.version },
      })
    }
    if (!update) continue
    const missing = `${plainName} ${update.version}`
    const installed = { installedVersion: version, installedSourceVersion: source.version }
    const component = { name: plainName, version: update.version, ...installed }
    patches.set(missing, {
      ...patchOf(missing, product, update.isSecurity),
      ...{ status: 'Missing', component, restartSuggested: mayNeedRestart(plainName) },
      ...(locked.has(plainName) && { lockedBy: lockName }),
    })
  }
  await addDetails(access, patches)
  const definitionUtc = await newestOf(access, folders.lists)
  return { scannedUtc: new Date().toISOString(), definitionUtc, patches: [...patches.values()].slice(0, maxPatches) }
}

function patchOf(key: string, product: string, isSecurity: boolean) {
  return { key, product, name: key, type: isSecurity ? 'SecurityPatch' : 'NonSecurityPatch' } as const
}

async function foldersOf(access: AptAccess): Promise<{ admin: string; lists: string } | undefined> {
  const text = await access.output(
    'apt-config',
    'shell',
    'status',
    'Dir::State::status/f',
    'lists',
    'Dir::State::lists/d',
  )
  const values = Object.fromEntries(
    [...(text ?? '').matchAll(/^(\w+)='(.*)'$/gm)].map(([, name, value]) => [name, value]),
  )
  return values.status && values.lists ? { admin: dirname(values.status), lists: values.lists } : undefined
}

type InstalledPackage = { name: string; source: { name: string | null; version: string | null } }

/** The installed packages by their apt names; foreign architectures have a suffix. */
async function installedPackages(access: AptAccess, admin: string): Promise<InstalledPackage[] | undefined> {
  const fields = ['db:Status-Status', 'binary:Package', 'source:Package', 'source:Version']
  const format = fields.map((name) => `\${${name}}`).join('\\t')
  const text = await access.output('dpkg-query', `--admindir=${admin}`, '-W', '-f', `${format}\\n`)
  return text?.split('\n').flatMap((line) => {
    const [status, name, sourceName, sourceVersion] = line.split('\t')
    if (status !== 'installed' || !name) return []
    return { name, source: { name: sourceName || null, version: sourceVersion || null } }
  })
}

async function policiesOf(access: AptAccess, packages: readonly InstalledPackage[]) {
  if (packages.length === 0) return []
  const names = packages.map(({ name }) => name)
  const isSecuritySource = parseSources((await access.output('apt-cache', 'policy')) ?? '')
  const policies = parsePolicies((await access.output('apt-cache', 'policy', ...names)) ?? '', isSecuritySource)
  const found = packages.flatMap(({ name, source }) => {
    const plainName = name.replace(/:.*$/, '')
    // apt omits the native architecture.
    const policy = policies.get(name) ?? policies.get(plainName)
    if (!policy) return []
    const version = policy.installed
    const isSecurity = policy.versions.some((one) => one.version === version && one.isSecurity)
    return { name, plainName, version, source, isSecurity, policy }
  })
  if (found.length === 0) throw new Error('apt knows none of the packages that are installed')
  return found
}

/** Adds the sizes and source packages of missing patches, as far as apt knows them. */
async function addDetails(access: AptAccess, patches: ReadonlyMap<string, ScannedPatch>): Promise<void> {
  const missing = [...patches.values()].filter(({ status }) => status === 'Missing')
  if (missing.length === 0) return
  // The scan is valid without them.
  const text = await access
    .output('apt-cache', 'show', ...missing.map(({ key }) => key.replace(' ', '=')))
    .catch(() => undefined)
  for (const stanza of (text ?? '').split('\n\n')) {
    const field = (name: string) => new RegExp(`^${name}: (.+)$`, 'm').exec(stanza)?.[1]
    const [patch, size] = [patches.get(`${field('Package')} ${field('Version')}`), Number(field('Size'))]
    if (patch && size > 0) patch.sizeBytes = size
    if (!patch?.component) continue
    // apt omits what the source package has in common with the package.
    const [, sourceName, sourceVersion] = /^(\S+)(?: \((\S+)\))?/.exec(field('Source') ?? '') ?? []
    patch.component.sourceName = sourceName ?? patch.component.name
    patch.component.sourceVersion = sourceVersion ?? patch.component.version
  }
}

/** The date of the newest package list that apt has fetched. */
async function newestOf(access: AptAccess, folder: string): Promise<string | null> {
  const releases = (await access.names(folder)).filter((name) => /_(In)?Release$/.test(name))
  const dates = await Promise.all(releases.map((name) => access.changedAt(join(folder, name))))
  const newest = Math.max(...dates.map((date) => date?.getTime() ?? 0))
  return newest > 0 ? new Date(newest).toISOString() : null
}
