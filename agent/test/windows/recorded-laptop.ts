import { edidBlock } from '../inventory/fixture.ts'
import type { RecordedWindows } from './recorded-access.ts'

const letters = (text: string) => [...text].map((letter) => letter.charCodeAt(0)).concat([0, 0, 0])

const uninstall = 'SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Uninstall'
const firewall = 'SYSTEM\\CurrentControlSet\\Services\\SharedAccess\\Parameters\\FirewallPolicy'
const user = 'S-1-5-21-1004336348-1177238915-682003330-1103'
const displayClass = 'SYSTEM\\CurrentControlSet\\Control\\Class\\{4d36e968-e325-11ce-bfc1-08002be10318}'

/** A laptop with Windows 11 in a domain. The rows have the properties and types that Microsoft documents for the classes. */
export const laptop: RecordedWindows = {
  rows: {
    Win32_OperatingSystem: [
      {
        Caption: 'Microsoft Windows 11 Enterprise',
        Version: '10.0.22631',
        BuildNumber: '22631',
        OSArchitecture: '64-bit',
        MUILanguages: ['de-DE', 'en-US'],
        ProductType: 1,
        TotalVisibleMemorySize: '16504248',
        LastBootUpTime: '20260314070012.500000+060',
      },
    ],
    Win32_ComputerSystem: [
      {
        Name: 'PC-0017',
        DNSHostName: 'pc-0017',
        Domain: 'corp.example.org',
        PartOfDomain: true,
        Manufacturer: 'Contoso',
        Model: 'Notebook 400',
        TotalPhysicalMemory: '16900349952',
        UserName: 'CORP\\jdoe',
        NumberOfProcessors: 1,
      },
    ],
    Win32_ComputerSystemProduct: [{ UUID: '3F0C9A52-7C1E-4F0A-9D55-0B8F6F8C1B11', IdentifyingNumber: 'PF3K9XYZ' }],
    Win32_BIOS: [
      {
        Caption: 'N2WET43W (1.33 )',
        Manufacturer: 'Contoso',
        SMBIOSBIOSVersion: 'N2WET43W (1.33 )',
        SerialNumber: 'PF3K9XYZ',
        Version: 'CONTOSO - 1330',
        ReleaseDate: '20230417000000.000000+000',
      },
    ],
    Win32_Processor: [
      {
        Name: 'Contoso Core 7 @ 2.80GHz   ',
        Manufacturer: 'GenuineContoso',
        ProcessorId: 'BFEBFBFF000806C1',
        NumberOfCores: 4,
        NumberOfLogicalProcessors: 8,
        MaxClockSpeed: 2803,
        CurrentClockSpeed: 1190,
      },
    ],
    Win32_LogicalDisk: [
      { DeviceID: 'D:', DriveType: 5, Size: null, FreeSpace: null, VolumeName: null },
      { DeviceID: 'C:', DriveType: 3, Size: '255444643840', FreeSpace: '108782194688', VolumeName: 'System' },
    ],
    Win32_EncryptableVolume: [
      {
        DeviceID: '\\\\?\\Volume{59ec1a1c-0000-0000-0000-100000000000}\\',
        DriveLetter: 'C:',
        ProtectionStatus: 1,
      },
    ],
    Win32_NetworkAdapter: [
      {
        Index: 1,
        InterfaceIndex: 12,
        ServiceName: 'Netwtw14',
        Name: 'Contoso Wi-Fi 6E',
        MACAddress: '00:1b:44:11:3a:b7',
        PhysicalAdapter: true,
        AdapterTypeId: 0,
      },
      {
        Index: 2,
        InterfaceIndex: 5,
        ServiceName: 'e1d',
        Name: 'Contoso Ethernet I219',
        MACAddress: '00:1B:44:11:3A:B8',
        PhysicalAdapter: true,
        AdapterTypeId: 0,
      },
      { Index: 3, InterfaceIndex: 9, ServiceName: 'kdnic', Name: 'Kernel Debug', PhysicalAdapter: false },
    ],
    Win32_NetworkAdapterConfiguration: [
      {
        Index: 1,
        IPEnabled: true,
        IPAddress: ['192.0.2.17', 'fe80::1c4e:7b2a:11:aa'],
        IPSubnet: ['255.255.255.0', '64'],
        DefaultIPGateway: ['192.0.2.1'],
        DNSServerSearchOrder: ['192.0.2.53', '192.0.2.54'],
        DHCPEnabled: true,
      },
      { Index: 2, IPEnabled: false, DHCPEnabled: true },
      { Index: 3, IPEnabled: false, DHCPEnabled: true },
    ],
    Win32_IP4RouteTable: [
      { Destination: '0.0.0.0', Mask: '0.0.0.0', NextHop: '198.51.100.1', InterfaceIndex: 5, Metric1: 70 },
      { Destination: '0.0.0.0', Mask: '0.0.0.0', NextHop: '192.0.2.1', InterfaceIndex: 12, Metric1: 35 },
    ],
    MSFT_NetAdapter: [
      { InterfaceIndex: 12, NdisPhysicalMedium: 9 },
      { InterfaceIndex: 5, NdisPhysicalMedium: 14 },
    ],
    Win32_Battery: [{ DeviceID: '1035LGC5B10W13930', Name: '5B10W13930', Chemistry: 2, BatteryStatus: 6 }],
    BatteryStaticData: [
      {
        InstanceName: 'ACPI\\PNP0C0A\\0_0',
        DeviceName: '5B10W13930',
        ManufactureName: 'LGC',
        SerialNumber: '1035',
        Chemistry: Buffer.from('LION').readUInt32LE(),
        DesignedCapacity: 57000,
      },
    ],
    BatteryFullChargedCapacity: [{ InstanceName: 'ACPI\\PNP0C0A\\0_0', FullChargedCapacity: 48450 }],
    WmiMonitorID: [
      {
        InstanceName: 'DISPLAY\\DELA142\\5&2c49c7f&0&UID4352_0',
        ManufacturerName: letters('DEL'),
        UserFriendlyName: letters('Contoso 24'),
        SerialNumberID: letters('CN0123456'),
        YearOfManufacture: 2023,
        WeekOfManufacture: 17,
      },
    ],
    Win32_Printer: [
      {
        Name: 'Floor 2',
        PortName: 'IP_192.0.2.90',
        ShareName: null,
        DriverName: 'Contoso Universal',
        Comment: 'Next to the kitchen',
        Caption: 'Floor 2',
        CapabilityDescriptions: ['Copies', 'Color', 'Duplex'],
        Network: false,
        Default: false,
        HorizontalResolution: 600,
        VerticalResolution: 600,
      },
      { Name: 'Microsoft Print to PDF', PortName: 'PORTPROMPT:', DriverName: 'Microsoft Print To PDF', Default: true },
    ],
    MSFT_PrinterDriver: [
      { Name: 'Contoso Universal', DriverVersion: String((8n << 48n) | (4n << 32n) | (1716n << 16n)) },
    ],
    Win32_VideoController: [
      {
        Name: 'Contoso Graphics 620',
        AdapterCompatibility: 'Contoso',
        AdapterRAM: -1048576,
        VideoProcessor: 'Contoso Graphics Family',
        CurrentHorizontalResolution: 1920,
        CurrentVerticalResolution: 1080,
        CurrentRefreshRate: 60,
      },
    ],
    Win32_Service: [
      {
        Name: 'wuauserv',
        DisplayName: 'Windows Update',
        State: 'Stopped',
        StartMode: 'Manual',
        StartName: 'LocalSystem',
      },
      { Name: 'Spooler', DisplayName: 'Print Spooler', State: 'Running', StartMode: 'Auto', StartName: 'LocalSystem' },
      { Name: 'BITS', DisplayName: 'BITS', State: 'Start Pending', StartMode: 'Manual', StartName: 'LocalSystem' },
    ],
    AntiVirusProduct: [
      { displayName: 'Contoso Antivirus', productState: 0x60000, timestamp: 'Fri, 13 Mar 2026 12:00:00 GMT' },
      { displayName: 'Windows Defender', productState: 0x61100, timestamp: 'Sat, 14 Mar 2026 09:26:53 GMT' },
    ],
    FirewallProduct: [],
    MSFT_MpComputerStatus: [
      {
        AMProductVersion: '4.18.24010.7',
        AntivirusEnabled: true,
        RealTimeProtectionEnabled: true,
        AntivirusSignatureLastUpdated: '20260314092653.000000+000',
        AntivirusSignatureAge: 0,
      },
    ],
    Win32_Group: [{ Name: 'Administratoren' }],
  },
  calls: {
    'GetKeyProtectors 1': { VolumeKeyProtectorID: ['{9F1B}'] },
    'GetKeyProtectors 2': { VolumeKeyProtectorID: [] },
    'GetKeyProtectors 3': { VolumeKeyProtectorID: ['{77A0}'] },
  },
  groups: { 'CORP\\jdoe': ['Benutzer', 'Administratoren'] },
  registry: {
    '64 HKLM\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion': { EditionID: 'Enterprise', UBR: 4317 },
    '64 HKLM\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Environment': { PROCESSOR_ARCHITECTURE: 'AMD64' },
    '64 HKLM\\SYSTEM\\CurrentControlSet\\Enum\\DISPLAY\\DELA142\\5&2c49c7f&0&UID4352\\Device Parameters': {
      EDID: edidBlock(),
    },
    [`64 HKLM\\${displayClass}\\0000`]: {
      DriverDesc: 'Contoso Graphics 620',
      'HardwareInformation.qwMemorySize': 8_589_934_592n,
    },
    [`64 HKLM\\${displayClass}\\Properties`]: {},
    [`64 HKLM\\${uninstall}\\{23170F69-40C1-2702-2408-000001000000}`]: {
      DisplayName: 'Example Editor (x64)',
      DisplayVersion: '4.2.1',
      Publisher: 'Contoso',
    },
    [`64 HKLM\\${uninstall}\\Part`]: { DisplayName: 'Part of the editor', SystemComponent: 1 },
    [`64 HKLM\\${uninstall}\\Update`]: { DisplayName: 'Update of the editor', ReleaseType: 'Security Update' },
    [`64 HKLM\\${uninstall}\\Nameless`]: { DisplayVersion: '1' },
    [`32 HKLM\\${uninstall}\\OldTool`]: { DisplayName: 'Old Tool', DisplayVersion: '1.0', Publisher: 'Contoso' },
    [`64 HKU\\${user}\\${uninstall.replace('SOFTWARE', 'Software')}\\Chat`]: {
      DisplayName: 'Chat',
      DisplayVersion: '9.9',
      Publisher: 'Contoso',
    },
    [`64 HKU\\${user}\\Software\\Microsoft\\Windows NT\\CurrentVersion\\Windows`]: { Device: 'Floor 2,winspool,Ne01:' },
    '64 HKU\\S-1-5-18\\Software\\Microsoft\\Windows NT\\CurrentVersion\\Windows': { Device: 'Fax,winspool,Ne00:' },
    [`64 HKLM\\${firewall}\\DomainProfile`]: { EnableFirewall: 1 },
    [`64 HKLM\\${firewall}\\StandardProfile`]: { EnableFirewall: 1 },
    [`64 HKLM\\${firewall}\\PublicProfile`]: { EnableFirewall: 1 },
    '64 HKLM\\SOFTWARE\\Policies\\Microsoft\\WindowsFirewall\\PublicProfile': { EnableFirewall: 0 },
    '64 HKLM\\SYSTEM\\CurrentControlSet\\Services\\MpsSvc': { Start: 2 },
    '64 HKLM\\SYSTEM\\CurrentControlSet\\Control\\SecureBoot\\State': { UEFISecureBootEnabled: 1 },
    '64 HKLM\\SOFTWARE\\Microsoft\\PowerShell\\1\\ShellIds\\Microsoft.PowerShell': { ExecutionPolicy: 'RemoteSigned' },
  },
}
