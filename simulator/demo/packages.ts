import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Api, type Json, until } from './api.ts'
import { signFolders } from './signing.ts'

/** A package whose installation fails on every computer. */
export const brokenPackage = 'Time Tracker'
/** A package that is not released, so its deployments stay pending. */
export const withheldPackage = 'Backup Client'

/** A package that is signed. */
const signedFolder = 'demo/corporate-vpn-5.2.1'

/** A red square. */
const recorderIcon = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGM4ISIHAAKiAPs+r7/7AAAAAElFTkSuQmCC',
  'base64',
)

const allSystems = ['Windows', 'Linux', 'macOS']

type Software = { name: string; version: string; displayName: string; systems?: string[] } & Json

const software: readonly Software[] = [
  { name: 'corporate-vpn', version: '5.2.1', displayName: 'Corporate VPN' },
  { name: 'office-fonts', version: '3.1', revision: '2', displayName: 'Office Fonts', category: 'Office' },
  { name: 'office-fonts', version: '3.2', displayName: 'Office Fonts', category: 'Office' },
  { name: 'pdf-viewer', version: '24.1', displayName: 'PDF Viewer' },
  { name: 'pdf-viewer', version: '24.2', displayName: 'PDF Viewer' },
  { name: 'browser', version: '131.0', displayName: 'Browser', systems: allSystems },
  { name: 'runtime', version: '8.0.11', displayName: 'Application Runtime' },
  {
    name: 'crm-client',
    version: '7.0',
    displayName: 'CRM Client',
    requires: ['runtime'],
    systems: ['Windows', 'macOS'],
  },
  {
    name: 'cad-suite',
    version: '2026.1',
    displayName: 'CAD Suite',
    systems: ['Windows'],
    requires: ['cad-libraries'],
    supersedes: [{ name: 'cad-viewer', uninstallFirst: true }],
    onlyFor: { minMemoryMb: 16_384, minFreeDiskGb: 20 },
  },
  // No group assigns them: the CAD Suite brings the first and takes the place of the second.
  { name: 'cad-libraries', version: '12.4', displayName: 'CAD Libraries', systems: ['Windows'] },
  {
    name: 'cad-viewer',
    version: '2019.2',
    displayName: 'CAD Viewer',
    systems: ['Windows'],
    conflicts: ['cad-libraries'],
  },
  // Only for some computers of the pilot ring: on all others, it is not applicable.
  {
    name: 'expense-reports',
    version: '6.3',
    displayName: 'Expense Reports',
    systems: ['Windows'],
    onlyFor: {
      osVersion: { min: '10.0.19000', below: '11' },
      osEditions: ['Enterprise', 'Pro'],
      architectures: ['x64'],
      software: [
        { name: 'Microsoft 365 Apps for enterprise', min: '16', below: '17' },
        { name: 'Expense Reports Classic', absent: true },
      ],
      customFields: [{ name: 'Cost centre', values: ['4700', '4701', '4702'] }],
      variables: [{ name: 'CostCentre', values: ['1000', '4711'] }],
    },
  },
  { name: 'time-tracker', version: '9.1', displayName: brokenPackage },
  // Its certificates are not imported yet.
  { name: 'backup-client', version: '4.0', displayName: withheldPackage, requires: ['backup-certificates'] },
  {
    name: 'screen-recorder',
    version: '2.3',
    displayName: 'Screen Recorder',
    category: 'Media',
    icon: 'icon.png',
    systems: ['Windows', 'macOS'],
  },
  { name: 'log-shipper', version: '1.8.2', displayName: 'Log Shipper', systems: ['Linux'] },
]

const runSetup = (step: string) => ({ argv: ['sh', 'setup.sh', step], timeLimitMinutes: 30 })
const image = { language: 'en-US', os: 'Windows 11', osType: 'Workstation', architecture: 'x64' }

/** How software is found, where a package says it: by a command or by what it declares. */
const detections: Record<string, Json> = {
  runtime: { shell: 'sh setup.sh detect' },
  'cad-suite': {
    registry: { key: 'HKLM\\SOFTWARE\\Example\\CAD Suite', view: '64', value: 'Version', minVersion: '2026.1' },
  },
  'log-shipper': { dpkg: { package: 'log-shipper', minVersion: '1.8.2' } },
}

/** Software whose installer is an MSI file, which needs no commands. The file itself stands for one of a vendor. */
const msiFiles: Record<string, Json> = {
  'cad-suite': {
    file: 'cad-suite.msi',
    properties: { ALLUSERS: '1', LICENCESERVER: '%MUSTER_VAR_VPN_GATEWAY%' },
    timeLimitMinutes: 90,
  },
}

function commandsOf(name: string): Json {
  const detect = detections[name] && { detect: detections[name] }
  const msi = msiFiles[name]
  if (msi) return { msi, ...(detect && { commands: detect }) }
  const steps = { install: runSetup('install'), update: runSetup('update'), uninstall: runSetup('uninstall') }
  return { commands: { ...steps, ...detect } }
}

/** The manifests of packages of every kind, by their folder in the store. */
const manifests: Record<string, Json> = {
  ...Object.fromEntries(
    software.map(({ systems = allSystems, ...manifest }) => [
      `demo/${manifest.name}-${manifest.version}`,
      {
        ...manifest,
        operatingSystems: systems,
        kind: 'software',
        author: 'IT department',
        ...commandsOf(manifest.name),
        ...(manifest.name === 'cad-suite' && { secrets: ['Printing.Password'] }),
        ...(manifest.name === 'corporate-vpn' && {
          variables: [{ variable: 'Vpn.Gateway', value: 'vpn.example.org' }],
        }),
      },
    ]),
  ),
  'demo/inventory-scan': buildManifest('inventory-scan', 'Inventory Scan', 'inventoryScan'),
  'demo/patch-scan': buildManifest('patch-scan', 'Patch Scan', 'patchScan'),
  'demo/patch-fix': buildManifest('patch-fix', 'Patch Fix', 'patchFix'),
  'demo/disk-layout': { ...buildManifest('disk-layout', 'Disk Layout', 'software'), preOs: true },
  'demo/windows-11': {
    name: 'windows-11',
    version: '24H2',
    displayName: 'Windows 11 24H2',
    description: 'As delivered by the vendor',
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
    description: 'Texts, keyboard and handwriting',
    operatingSystems: ['Windows 11'],
    kind: 'languagePack',
    image: { ...image, language: 'de-DE', file: 'setup.sh' },
  },
  'demo/agents': {
    name: 'demo-agents',
    version: '1.0',
    displayName: 'Demo agents',
    description: 'A contact every minute so that changes show soon',
    operatingSystems: allSystems,
    kind: 'agentTemplate',
    settings: { contactIntervalMinutes: 1, showNotifications: true },
  },
  'demo/boot-image': {
    name: 'install-environment',
    version: '6.12',
    displayName: 'Installation environment',
    description: 'Starts the setup of Windows',
    operatingSystems: ['Windows 11'],
    kind: 'pxeBootImage',
    boot: { loader: 'setup.sh', kernel: 'setup.sh', initrd: 'notes.txt', arguments: 'quiet', architecture: 'x64' },
  },
}

function buildManifest(name: string, displayName: string, kind: string): Json {
  return {
    name,
    version: '1.0',
    displayName,
    operatingSystems: allSystems,
    kind,
    commands: { install: runSetup('install') },
  }
}

/** Ids of packages by their folder. */
export type Packages = Map<string, string>

/** Where packages are imported from, and the file of the key that signs one of them. */
export type PackageSource = { store: string; signingKey: string }

/** Writes the packages into the store, imports them, and releases all of them except one. */
export async function importPackages(
  api: Api,
  { store, signingKey }: PackageSource,
  folders = Object.keys(manifests),
): Promise<Packages> {
  const imported = await Promise.all(
    folders.map(async (folder) => {
      const files = {
        'muster-package.json': JSON.stringify(manifests[folder], null, 2),
        'setup.sh': `# ${folder}: simulated computers do not run this.\n`,
        'notes.txt': `${folder}\n`,
        ...(manifests[folder]?.icon !== undefined && { 'icon.png': recorderIcon }),
        ...(folder === 'demo/cad-suite-2026.1' && { 'cad-suite.msi': 'Simulated computers do not install this.\n' }),
      }
      for (const [file, content] of Object.entries(files)) await writeStoreFile(store, `${folder}/${file}`, content)
      if (folder === signedFolder) await signFolders(signingKey, [join(store, folder)])
      const id = await importPackage(api, folder)
      const operational = manifests[folder]?.displayName !== withheldPackage
      await api.put(`/api/packages/${id}/ready-to-install`, { operational })
      return [folder, id] as const
    }),
  )
  return new Map(imported)
}

export async function writeStoreFile(store: string, path: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(join(store, path)), { recursive: true })
  await writeFile(join(store, path), content)
}

/** Imports a folder of the store. Returns the id of the package. */
export async function importPackage(api: Api, folderPath: string): Promise<string> {
  const { trackingId } = await api.post<{ trackingId: string }>('/api/packages/import', { folderPath, overwrite: true })
  return until(async () => {
    type Status = { status: string; message: string | null; packageId: string | null }
    const { status, message, packageId } = await api.get<Status>(`/api/packages/import/${trackingId}`)
    if (status === 'Failed') throw new Error(`The import of ${folderPath} failed: ${message}`)
    return status === 'Success' && packageId ? packageId : undefined
  }, `the import of ${folderPath}`)
}

/** Returns the id of a package of the data set. */
export function packageId(packages: Packages, folder: string): string {
  const id = packages.get(`demo/${folder}`)
  if (!id) throw new Error(`The data set has no package ${folder}.`)
  return id
}
