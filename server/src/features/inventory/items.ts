import { closed, enumOf, Int32, nullable, Type, text } from '../../platform/schema.ts'

/** A text that a computer reports; null when it does not know the value. */
const reportedText = (description: string, example: string, maxLength = 255) =>
  nullable(text(maxLength, example, description))

const wholeNumber = (description: string, example: number) =>
  nullable({ ...Int32, minimum: 0, examples: [example], description })

const flag = (description: string, example: boolean) => Type.Boolean({ examples: [example], description })

export const BitlockerState = enumOf(['Encrypted', 'Unencrypted', 'NotAvailable'], {
  title: 'BitlockerState',
  description: 'Encryption by BitLocker, or by LUKS under Linux. NotAvailable when the computer cannot determine it.',
})

const gigabytes = (description: string, example: number) =>
  nullable(Type.Number({ minimum: 0, maximum: 1e9, examples: [example], description }))

export const DiskDriveReport = closed(
  {
    volume: text(255, 'C:', 'Drive letter or mount point'),
    driveTypeCode: {
      ...Int32,
      minimum: 0,
      examples: [3],
      description: '2 removable, 3 fixed, 4 network, 5 optical, 6 memory; 0 and 1 unknown',
    },
    totalSpaceGb: gigabytes('Size of the volume', 237.9),
    freeSpaceGb: gigabytes('Free space of the volume', 101.3),
    label: reportedText('Label of the volume', 'System'),
    bitlockerStatus: BitlockerState,
    bitlockerKeyProtectors: reportedText('What unlocks the volume, separated by commas', 'Tpm, RecoveryPassword', 1000),
  },
  { title: 'DiskDriveReport' },
)

export const BatteryReport = closed(
  {
    name: reportedText('Name of the battery', 'BAT0'),
    chemistry: reportedText('Chemistry of the battery', 'Lithium-ion', 100),
    deviceId: reportedText('Manufacturer and serial number', 'LGC-5B10W13930'),
    batteryStatus: reportedText('Status as the computer names it', 'Charging', 100),
    designedCapacityMwh: wholeNumber('Capacity of a new battery', 57000),
    fullChargedCapacityMwh: wholeNumber('Capacity when fully charged', 48450),
    remainingCapacityPercent: wholeNumber('Wear level: full charge as a percentage of the design, not the charge', 85),
  },
  { title: 'BatteryReport' },
)

export const NetworkAdapter = closed(
  {
    serviceName: reportedText('Driver of the adapter', 'e1000e'),
    description: reportedText('Name of the adapter', 'Ethernet connection I219-LM'),
    ipAddress: reportedText('IP addresses, separated by commas', '192.0.2.17', 1000),
    macAddress: reportedText('MAC address', '00:1B:44:11:3A:B7', 64),
    subnetMask: reportedText('Subnet masks, separated by commas', '255.255.255.0', 1000),
    defaultGateway: reportedText('Default gateways, separated by commas', '192.0.2.1', 1000),
    dnsServer: reportedText('DNS servers, separated by commas', '192.0.2.53', 1000),
    connectionType: reportedText('Kind of connection', 'Ethernet', 100),
    isDhcp: flag('The adapter gets its address by DHCP', true),
  },
  { title: 'NetworkAdapter' },
)

export const Printer = closed(
  {
    name: reportedText('Name of the printer', 'Floor 2'),
    port: reportedText('Port or URL of the printer', 'ipp://printer.example.org/ipp/print', 1000),
    shareName: reportedText('Name under which the printer is shared', 'floor2'),
    driverName: reportedText('Name of the driver', 'Generic PostScript'),
    driverVersion: reportedText('Version of the driver', '2.1', 100),
    comment: reportedText('Comment on the printer', 'Next to the kitchen', 1000),
    caption: reportedText('Description of the printer', 'Floor 2', 1000),
    capabilityDescriptions: reportedText('Capabilities, separated by commas', 'Color, Duplex', 1000),
    isNetworkPrinter: flag('The printer is reached over the network', true),
    isDefault: flag('The printer is the default printer', false),
    horizontalResolution: wholeNumber('Dots per inch', 600),
    verticalResolution: wholeNumber('Dots per inch', 600),
  },
  { title: 'Printer' },
)

export const Bios = closed(
  {
    caption: reportedText('Name of the firmware', 'N2WET43W (1.33 )'),
    manufacturer: reportedText('Manufacturer of the firmware', 'Contoso'),
    smBiosVersion: reportedText('Version in the SMBIOS tables', 'N2WET43W (1.33 )'),
    serialNumber: reportedText('Serial number of the computer', 'PF3K9XYZ'),
    version: reportedText('Version of the firmware', 'CONTOSO - 1330'),
    uuid: reportedText('UUID of the computer', '3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11', 64),
  },
  { title: 'Bios' },
)

export const ComputerSystem = closed(
  {
    manufacturer: reportedText('Manufacturer of the computer', 'Contoso'),
    model: reportedText('Model of the computer', 'Desk 400'),
  },
  { title: 'ComputerSystem' },
)

export const VideoController = closed(
  {
    name: reportedText('Name of the graphics card', 'Contoso Graphics 620'),
    adapterCompatibility: reportedText('Manufacturer of the graphics card', 'Contoso'),
    adapterRam: reportedText('Memory as the computer reports it, usually in bytes', '1073741824', 50),
    videoProcessor: reportedText('Graphics processor', 'Graphics 620'),
    videoModeDescription: reportedText('Current video mode', '1920 x 1080'),
    currentRefreshRate: reportedText('Refresh rate as the computer reports it, in Hz', '60', 50),
  },
  { title: 'VideoController' },
)

export const DesktopMonitor = closed(
  {
    caption: reportedText('Description of the monitor', 'Contoso 24'),
    manufacturer: reportedText('Manufacturer of the monitor', 'Contoso'),
    monitorType: reportedText('Digital or Analog', 'Digital', 100),
    monitorName: reportedText('Name of the monitor', 'Contoso 24'),
    serialNumber: reportedText('Serial number of the monitor', 'CN0123456'),
    vendorId: reportedText('Vendor code of three letters', 'CTO', 10),
    monitorSize: reportedText('Diagonal in inches', '24.1', 50),
    screenWidth: wholeNumber('Width in pixels', 1920),
    screenHeight: wholeNumber('Height in pixels', 1200),
    pixelsPerXLogicalInch: wholeNumber('Horizontal pixel density', 96),
    pixelsPerYLogicalInch: wholeNumber('Vertical pixel density', 96),
    manufacturingYear: wholeNumber('Year of manufacture', 2023),
    manufacturingWeek: wholeNumber('Week of manufacture', 17),
  },
  { title: 'DesktopMonitor' },
)

export const Processor = closed(
  {
    name: reportedText('Name of the processor', 'Contoso Core 7 @ 2.80GHz'),
    manufacturer: reportedText('Manufacturer of the processor', 'Contoso'),
    processorId: reportedText('Identifier of the processor', 'BFEBFBFF000806C1', 64),
    numberOfCores: wholeNumber('Physical cores', 4),
    numberOfLogicalProcessors: wholeNumber('Threads of all cores', 8),
    maxClockSpeedMhz: wholeNumber('Maximum clock speed', 4700),
    currentClockSpeedMhz: wholeNumber('Clock speed at the time of the inventory', 2800),
  },
  { title: 'Processor' },
)

// The three texts together must fit into one index entry.
export const InstalledProduct = closed(
  {
    productName: text(255, 'Example Editor', 'Name of the product'),
    version: reportedText('Version of the product', '4.2.1', 100),
    publisher: reportedText('Publisher of the product', 'Contoso'),
  },
  { title: 'InstalledSoftware' },
)

export const InstalledProductReport = closed(
  {
    ...InstalledProduct.properties,
    sourceName: Type.Optional(reportedText('Package of dpkg or rpm from which the product is built', 'openssl')),
    sourceVersion: Type.Optional(reportedText('Version of that package, with its epoch', '1:3.0.7-27.el9', 100)),
    language: Type.Optional(
      enumOf(['npm', 'pypi'], {
        description:
          'Of a package that a package manager of this language has installed. It is its own source package.',
      }),
    ),
  },
  { title: 'InstalledSoftwareReport' },
)

export const WindowsService = closed(
  {
    name: text(255, 'Spooler', 'Name of the service'),
    displayName: reportedText('Name of the service for people', 'Print Spooler'),
    status: text(50, 'Running', 'Status as the computer names it'),
    startMode: reportedText('When the service starts', 'Auto', 50),
    account: reportedText('Account under which the service runs', 'LocalSystem', 50),
  },
  { title: 'WindowsService', description: 'A Windows service or a systemd unit' },
)

export const SystemReport = closed(
  {
    fqdn: reportedText('Fully qualified domain name', 'pc-0017.corp.example.org'),
    operatingSystem: reportedText('Full name of the operating system', 'Windows 11 Enterprise'),
    osName: reportedText('Name of the operating system without its edition', 'Windows 11'),
    osEdition: reportedText('Edition of the operating system', 'Enterprise'),
    osVersion: reportedText('Version of the operating system', '10.0.22631', 100),
    osBuild: reportedText('Build of the operating system, or the kernel version', '22631', 100),
    osLogin: reportedText('User who last signed in', 'CORP\\jdoe'),
    platform: reportedText('Windows, Linux or macOS', 'Windows', 100),
    language: reportedText('Language of the operating system', 'en-US', 100),
    architecture: reportedText('Processor architecture', 'AMD64', 100),
    bitVersion: nullable({ ...Int32, examples: [64], description: '32 or 64' }),
    processorName: reportedText('Name of the first processor', 'Contoso Core 7 @ 2.80GHz'),
    processorCount: wholeNumber('Number of processors', 1),
    processorMhz: wholeNumber('Clock speed of the first processor', 2800),
    memoryMb: wholeNumber('Main memory', 16384),
    biosVersion: reportedText('Version of the firmware', 'N2WET43W (1.33 )'),
    biosDate: reportedText('Date of the firmware', '2023-04-17', 50),
    ipAddress: reportedText('Address of the adapter with the default route', '192.0.2.17', 64),
    loggedOnUser: reportedText('User who is signed in', 'CORP\\jdoe'),
    userIsAdmin: nullable(flag('The signed-in user is an administrator', false)),
    timeZone: reportedText('Time zone', 'Europe/Berlin', 100),
    displayAdapter: reportedText('Name of the first graphics card', 'Contoso Graphics 620'),
    screenResolution: reportedText('Screen resolution', '1920 x 1080', 50),
    vmType: reportedText('Hypervisor or container; null on physical hardware', 'KVM', 100),
    tempDirSizeMb: wholeNumber('Size of the folder for temporary files', 350),
  },
  { title: 'SystemReport' },
)
