import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Api, type Json, until } from './api.ts'

/** Fails wherever it is installed. */
export const brokenPackage = 'Time Tracker'
/** Is not released, so that its deployments stay pending. */
export const withheldPackage = 'Backup Client'

const everywhere = ['Windows', 'Linux', 'macOS']

type Software = { name: string; version: string; displayName: string; systems?: string[] } & Json

const software: readonly Software[] = [
  { name: 'corporate-vpn', version: '5.2.1', displayName: 'Corporate VPN' },
  { name: 'office-fonts', version: '3.1', displayName: 'Office Fonts' },
  { name: 'pdf-viewer', version: '24.1', displayName: 'PDF Viewer' },
  { name: 'pdf-viewer', version: '24.2', displayName: 'PDF Viewer' },
  { name: 'browser', version: '131.0', displayName: 'Browser', systems: everywhere },
  { name: 'runtime', version: '8.0.11', displayName: 'Application Runtime' },
  {
    name: 'crm-client',
    version: '7.0',
    displayName: 'CRM Client',
    requires: ['runtime'],
    systems: ['Windows', 'macOS'],
  },
  { name: 'cad-suite', version: '2026.1', displayName: 'CAD Suite', systems: ['Windows'] },
  { name: 'time-tracker', version: '9.1', displayName: brokenPackage },
  { name: 'backup-client', version: '4.0', displayName: withheldPackage },
  { name: 'screen-recorder', version: '2.3', displayName: 'Screen Recorder', systems: ['Windows', 'macOS'] },
  { name: 'log-shipper', version: '1.8.2', displayName: 'Log Shipper', systems: ['Linux'] },
]

const runs = (step: string) => ({ argv: ['sh', 'setup.sh', step], timeLimitMinutes: 30 })
const image = { language: 'en-US', os: 'Windows 11', osType: 'Workstation', architecture: 'x64' }

/** Every kind of package, by the folder in which it lies. */
const manifests: Record<string, Json> = {
  ...Object.fromEntries(
    software.map(({ systems = everywhere, ...manifest }) => [
      `demo/${manifest.name}-${manifest.version}`,
      {
        ...manifest,
        operatingSystems: systems,
        kind: 'software',
        author: 'IT department',
        commands: { install: runs('install'), update: runs('update'), uninstall: runs('uninstall') },
        ...(manifest.name === 'corporate-vpn' && {
          variables: [{ variable: 'Vpn.Gateway', value: 'vpn.example.org' }],
        }),
      },
    ]),
  ),
  'demo/inventory-scan': scan('inventory-scan', 'Inventory Scan', 'inventoryScan'),
  'demo/patch-scan': scan('patch-scan', 'Patch Scan', 'patchScan'),
  'demo/patch-fix': scan('patch-fix', 'Patch Fix', 'patchFix'),
  'demo/disk-layout': { ...scan('disk-layout', 'Disk Layout', 'software'), preOs: true },
  'demo/windows-11': {
    name: 'windows-11',
    version: '24H2',
    displayName: 'Windows 11 24H2',
    operatingSystems: ['Windows 11'],
    kind: 'operatingSystem',
    image: {
      ...image,
      file: 'setup.sh',
      skus: [
        { index: 1, edition: 'Enterprise' },
        { index: 2, edition: 'Professional' },
      ],
    },
  },
  'demo/german': {
    name: 'windows-11-german',
    version: '24H2',
    displayName: 'German for Windows 11',
    operatingSystems: ['Windows 11'],
    kind: 'languagePack',
    image: { ...image, language: 'de-DE', file: 'setup.sh' },
  },
  'demo/agents': {
    name: 'demo-agents',
    version: '1.0',
    displayName: 'Agents of the demo',
    operatingSystems: everywhere,
    kind: 'agentTemplate',
    settings: { contactIntervalMinutes: 1, showNotifications: true },
  },
  'demo/boot-image': {
    name: 'install-environment',
    version: '6.12',
    displayName: 'Install environment',
    operatingSystems: ['Windows 11'],
    kind: 'pxeBootImage',
    boot: { kernel: 'setup.sh', initrd: 'notes.txt', arguments: 'quiet', architecture: 'x64' },
  },
}

function scan(name: string, displayName: string, kind: string): Json {
  return {
    name,
    version: '1.0',
    displayName,
    operatingSystems: everywhere,
    kind,
    commands: { install: runs('install') },
  }
}

/** Ids of packages by their folders. */
export type Packages = Map<string, string>

/** Writes the packages into the store, imports them, and releases all but one. */
export async function importPackages(api: Api, store: string, folders = Object.keys(manifests)): Promise<Packages> {
  const imported = await Promise.all(
    folders.map(async (folder) => {
      const files = {
        'muster-package.json': JSON.stringify(manifests[folder], null, 2),
        'setup.sh': `# ${folder}: the simulated computers only act as if they ran this.\n`,
        'notes.txt': `${folder}\n`,
      }
      for (const [file, content] of Object.entries(files)) await writeInto(store, `${folder}/${file}`, content)
      const id = await imports(api, folder)
      const operational = manifests[folder]?.displayName !== withheldPackage
      await api.put(`/api/packages/${id}/ready-to-install`, { operational })
      return [folder, id] as const
    }),
  )
  return new Map(imported)
}

export async function writeInto(store: string, path: string, content: string): Promise<void> {
  await mkdir(dirname(join(store, path)), { recursive: true })
  await writeFile(join(store, path), content)
}

async function imports(api: Api, folderPath: string): Promise<string> {
  const { trackingId } = await api.post<{ trackingId: string }>('/api/packages/import', { folderPath, overwrite: true })
  return until(async () => {
    type Status = { status: string; message: string | null; packageId: string | null }
    const { status, message, packageId } = await api.get<Status>(`/api/packages/import/${trackingId}`)
    if (status === 'Failed') throw new Error(`${folderPath} was not imported: ${message}`)
    return status === 'Success' && packageId ? packageId : undefined
  }, `the import of ${folderPath}`)
}

/** The id of a package that is known to be there. */
export function packageId(packages: Packages, folder: string): string {
  const id = packages.get(`demo/${folder}`)
  if (!id) throw new Error(`There is no package ${folder}.`)
  return id
}
