import { closed, enumOf, Int32, nullable, Type, text } from '../../platform/schema.ts'

/** A text that a computer reports, or null where it does not know. */
const told = (example: string, maxLength = 255, description?: string) => nullable(text(maxLength, example, description))

const whole = (example: number, description?: string) =>
  nullable({ ...Int32, minimum: 0, examples: [example], ...(description && { description }) })

const yesNo = (example: boolean, description?: string) =>
  Type.Boolean({ examples: [example], ...(description && { description }) })

export const BitlockerState = enumOf(['Encrypted', 'Unencrypted', 'NotAvailable'], {
  title: 'BitlockerState',
  description: 'Of BitLocker, or of LUKS under Linux; NotAvailable where the computer cannot tell',
})

const gigabytes = (example: number) => nullable(Type.Number({ minimum: 0, maximum: 1e9, examples: [example] }))

export const DiskDriveReport = closed(
  {
    volume: text(255, 'C:', 'Drive letter or mount point'),
    driveTypeCode: {
      ...Int32,
      minimum: 0,
      examples: [3],
      description: '2 removable, 3 fixed, 4 network, 5 optical, 6 memory; 0 and 1 unknown',
    },
    totalSpaceGb: gigabytes(237.9),
    freeSpaceGb: gigabytes(101.3),
    label: told('System'),
    bitlockerStatus: BitlockerState,
    bitlockerKeyProtectors: told('Tpm, RecoveryPassword', 1000),
  },
  { title: 'DiskDriveReport' },
)

export const BatteryReport = closed(
  {
    name: told('BAT0'),
    chemistry: told('Lithium-ion', 100),
    deviceId: told('LGC-5B10W13930'),
    batteryStatus: told('Charging', 100),
    designedCapacityMwh: whole(57000),
    fullChargedCapacityMwh: whole(48450),
    remainingCapacityPercent: whole(85, 'Wear level: full charge against the design, not the charge'),
  },
  { title: 'BatteryReport' },
)

export const NetworkAdapter = closed(
  {
    serviceName: told('e1000e'),
    description: told('Ethernet connection I219-LM'),
    ipAddress: told('192.0.2.17', 1000, 'Several are separated by a comma'),
    macAddress: told('00:1B:44:11:3A:B7', 64),
    subnetMask: told('255.255.255.0', 1000),
    defaultGateway: told('192.0.2.1', 1000),
    dnsServer: told('192.0.2.53', 1000),
    connectionType: told('Ethernet', 100),
    isDhcp: yesNo(true),
  },
  { title: 'NetworkAdapter' },
)

export const Printer = closed(
  {
    name: told('Floor 2'),
    port: told('ipp://printer.example.org/ipp/print', 1000),
    shareName: told('floor2'),
    driverName: told('Generic PostScript'),
    driverVersion: told('2.1', 100),
    comment: told('Next to the kitchen', 1000),
    caption: told('Floor 2', 1000),
    capabilityDescriptions: told('Color, Duplex', 1000),
    isNetworkPrinter: yesNo(true),
    isDefault: yesNo(false),
    horizontalResolution: whole(600, 'DPI'),
    verticalResolution: whole(600, 'DPI'),
  },
  { title: 'Printer' },
)

export const Bios = closed(
  {
    caption: told('N2WET43W (1.33 )'),
    manufacturer: told('Contoso'),
    smBiosVersion: told('N2WET43W (1.33 )'),
    serialNumber: told('PF3K9XYZ'),
    version: told('CONTOSO - 1330'),
    uuid: told('3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11', 64),
  },
  { title: 'Bios' },
)

export const ComputerSystem = closed(
  { manufacturer: told('Contoso'), model: told('Desk 400') },
  { title: 'ComputerSystem' },
)

export const VideoController = closed(
  {
    name: told('Contoso Graphics 620'),
    adapterCompatibility: told('Contoso'),
    adapterRam: told('1073741824', 50, 'As the computer tells it, usually bytes'),
    videoProcessor: told('Graphics 620'),
    videoModeDescription: told('1920 x 1080'),
    currentRefreshRate: told('60', 50, 'As the computer tells it, in Hz'),
  },
  { title: 'VideoController' },
)

export const DesktopMonitor = closed(
  {
    caption: told('Contoso 24'),
    manufacturer: told('Contoso'),
    monitorType: told('Digital', 100),
    monitorName: told('Contoso 24'),
    serialNumber: told('CN0123456'),
    vendorId: told('CTO', 10, 'Three letters'),
    monitorSize: told('24.1', 50, 'Diagonal in inches'),
    screenWidth: whole(1920),
    screenHeight: whole(1200),
    pixelsPerXLogicalInch: whole(96),
    pixelsPerYLogicalInch: whole(96),
    manufacturingYear: whole(2023),
    manufacturingWeek: whole(17),
  },
  { title: 'DesktopMonitor' },
)

export const Processor = closed(
  {
    name: told('Contoso Core 7 @ 2.80GHz'),
    manufacturer: told('Contoso'),
    processorId: told('BFEBFBFF000806C1', 64),
    numberOfCores: whole(4),
    numberOfLogicalProcessors: whole(8),
    maxClockSpeedMhz: whole(4700),
    currentClockSpeedMhz: whole(2800),
  },
  { title: 'Processor' },
)

// The three texts together must fit into one entry of an index.
export const InstalledSoftware = closed(
  { productName: text(255, 'Example Editor'), version: told('4.2.1', 100), publisher: told('Contoso') },
  { title: 'InstalledSoftware' },
)

export const WindowsService = closed(
  {
    name: text(255, 'Spooler'),
    displayName: told('Print Spooler'),
    status: text(50, 'Running'),
    startMode: told('Auto', 50),
    account: told('LocalSystem', 50),
  },
  { title: 'WindowsService', description: 'A service of Windows or of systemd' },
)

export const SystemReport = closed(
  {
    fqdn: told('pc-0017.corp.example.org'),
    operatingSystem: told('Windows 11 Enterprise'),
    osName: told('Windows 11'),
    osEdition: told('Enterprise'),
    osVersion: told('10.0.22631', 100),
    osBuild: told('22631', 100),
    osLogin: told('CORP\\jdoe'),
    platform: told('Windows', 100),
    language: told('en-US', 100),
    architecture: told('AMD64', 100),
    bitVersion: nullable({ ...Int32, examples: [64], description: '32 or 64' }),
    processorName: told('Contoso Core 7 @ 2.80GHz'),
    processorCount: whole(1),
    processorMhz: whole(2800),
    memoryMb: whole(16384),
    biosVersion: told('N2WET43W (1.33 )'),
    biosDate: told('2023-04-17', 50),
    ipAddress: told('192.0.2.17', 64),
    loggedOnUser: told('CORP\\jdoe'),
    userIsAdmin: nullable(yesNo(false)),
    timeZone: told('Europe/Berlin', 100),
    displayAdapter: told('Contoso Graphics 620'),
    screenResolution: told('1920 x 1080', 50),
    vmType: told('KVM', 100),
    tempDirSizeMb: whole(350),
  },
  { title: 'SystemReport' },
)
