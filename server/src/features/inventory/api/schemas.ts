import { closed, enumOf, extensionKeyword, Id, Instant, Int32, nullable, Type, text } from '../../../platform/schema.ts'
import { Computer } from '../../computers/api/schemas.ts'
import {
  BatteryReport,
  Bios,
  BitlockerState,
  ComputerSystem,
  DesktopMonitor,
  DiskDriveReport,
  NetworkAdapter,
  Printer,
  Processor,
  SystemReport,
  VideoController,
} from '../items.ts'
import { AntivirusInfo, FirewallStatus, ScriptPolicyStatus, SecureBootStatus } from '../security-report.ts'

export const DiskDrive = closed(
  {
    ...DiskDriveReport.properties,
    driveTypeName: enumOf(['Unknown', 'NoRootDirectory', 'Removable', 'Fixed', 'Network', 'CDRom', 'Ram']),
    usedPercent: nullable(
      Type.Number({
        examples: [57.4],
        description: 'Used space with one decimal; null when the size is unknown or zero',
      }),
    ),
  },
  { title: 'DiskDrive' },
)

export const Battery = closed(
  {
    ...BatteryReport.properties,
    healthPercent: nullable(
      Type.Number({
        examples: [85],
        description:
          'Full charge as a percentage of the design with one decimal; 100 means no wear. Null when a capacity is missing or zero.',
      }),
    ),
  },
  { title: 'Battery' },
)

export const ComputerManagement = closed(
  {
    role: enumOf(['Client', 'DepotServer', 'MasterServer']),
    agentInstalled: Type.Boolean({ examples: [true], description: 'An agent is enrolled' }),
    agentVersion: nullable(text(255, '0.1.0', 'Version of the agent')),
    nameMatches: nullable(
      Type.Boolean({
        examples: [true],
        description:
          'False when `fqdn` is not the name and domain under which Muster manages the computer: it was ' +
          'renamed. Null when no inventory has reported `fqdn`.',
      }),
    ),
  },
  { title: 'ComputerManagement' },
)

export const SystemInfo = closed(
  {
    clientId: Id,
    name: nullable(text(255, 'pc-0017')),
    domain: nullable(text(255, 'corp.example.org')),
    isDomain: Type.Boolean({ examples: [true] }),
    inventoryId: nullable(text(255, 'INV-0017')),
    manufacturer: ComputerSystem.properties.manufacturer,
    model: ComputerSystem.properties.model,
    lastSeenUtc: nullable(Instant),
    inventoryDate: nullable(Instant),
    isOfPreviousSystem: {
      ...Type.Boolean({
        examples: [false],
        description: 'An operating system has been installed since the inventory, which describes the previous one',
      }),
      [extensionKeyword]: true,
    },
    ...SystemReport.properties,
    architecture: nullable(
      text(100, 'x64', 'Processor architecture, in one spelling for all sources: x64, x86, arm64, arm'),
    ),
    reportedArchitecture: {
      ...nullable(text(100, 'AMD64', 'Processor architecture as it was reported')),
      [extensionKeyword]: true,
    },
    tempDirSizeMb: nullable({
      ...Int32,
      examples: [350],
      description: 'Size of the folder for temporary files; null also when 0 was reported',
    }),
    management: ComputerManagement,
  },
  { title: 'SystemInfo' },
)

const ProtectedVolume = closed(
  {
    volume: DiskDriveReport.properties.volume,
    status: BitlockerState,
    keyProtectors: DiskDriveReport.properties.bitlockerKeyProtectors,
  },
  { title: 'ProtectedVolume' },
)

export const BitlockerInfo = closed(
  {
    status: BitlockerState,
    volumes: Type.Array(ProtectedVolume, { description: 'The fixed disks only' }),
  },
  {
    title: 'BitlockerInfo',
    description:
      'BitLocker under Windows, LUKS under Linux. Encrypted when every fixed disk with a known state is encrypted; NotAvailable when no state is known.',
  },
)

export const SecurityPosture = closed(
  {
    clientId: Id,
    inventoryDateUtc: nullable(Instant),
    inventoryAgeDays: nullable({
      ...Int32,
      examples: [0],
      description: 'Age of the inventory in whole days; null without an inventory',
    }),
    isStale: Type.Boolean({
      examples: [false],
      description:
        'The inventory is missing, older than staleAfterDays, or of the operating system before the last installation',
    }),
    staleAfterDays: { ...Int32, examples: [3] },
    antivirus: AntivirusInfo,
    firewall: FirewallStatus,
    secureBoot: SecureBootStatus,
    scriptPolicy: ScriptPolicyStatus,
    bitlocker: BitlockerInfo,
  },
  { title: 'SecurityPosture' },
)

export const ComputerInventory = closed(
  {
    computer: Computer,
    systemInfo: SystemInfo,
    bios: Bios,
    computerSystem: ComputerSystem,
    disks: Type.Array(DiskDrive),
    networkAdapters: Type.Array(NetworkAdapter),
    batteries: Type.Array(Battery),
    printers: Type.Array(Printer),
    videoControllers: Type.Array(VideoController),
    monitors: Type.Array(DesktopMonitor),
    processors: Type.Array(Processor),
  },
  { title: 'ComputerInventory' },
)

export const InstalledSoftwareFilter = closed(
  {
    productName: Type.String({
      minLength: 1,
      maxLength: 255,
      examples: ['Example Editor'],
      description: 'A part of the product name; case is ignored',
    }),
    version: Type.Optional(
      nullable(text(100, '4.2', 'The beginning of the version; null or empty matches every version')),
    ),
  },
  { title: 'InstalledSoftwareFilter' },
)

export const SoftwareSearchRequest = closed(
  {
    products: Type.Array(InstalledSoftwareFilter, {
      minItems: 1,
      maxItems: 50,
      description: 'All of these must be installed',
    }),
  },
  { title: 'SoftwareSearchRequest' },
)
