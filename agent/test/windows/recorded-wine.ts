import type { RecordedWindows } from './recorded-access.ts'

const uninstall = 'HKLM\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Uninstall'

/** What Wine 8.0 has answered as Windows 10, with some of its services. Many classes of Windows do not exist there. */
export const wine: RecordedWindows = {
  rows: {
    Win32_OperatingSystem: [
      {
        Caption: 'Microsoft Windows 10 Pro',
        Version: '10.0.18362',
        BuildNumber: '18362',
        OSArchitecture: '64-bit',
        MUILanguages: null,
        ProductType: 1,
        TotalVisibleMemorySize: '24682736',
        LastBootUpTime: '20261116160547.758000+000',
      },
    ],
    Win32_ComputerSystem: [
      {
        Name: 'VM',
        DNSHostName: null,
        Domain: 'WORKGROUP',
        PartOfDomain: null,
        Manufacturer: 'The Wine Project',
        Model: 'Wine',
        TotalPhysicalMemory: '25275121664',
        UserName: 'VM\\user',
        NumberOfProcessors: 1,
      },
    ],
    Win32_ComputerSystemProduct: [
      {
        UUID: '3D1219C7-C4C5-404A-AA1F-6D2A48ADFDA4',
        IdentifyingNumber: '0',
      },
    ],
    Win32_BIOS: [
      {
        Caption: null,
        Manufacturer: 'The Wine Project',
        SMBIOSBIOSVersion: 'Wine',
        SerialNumber: '0',
        Version: 'WINE   - 1',
        ReleaseDate: '20120608000000.000000+000',
      },
    ],
    Win32_Processor: [
      {
        Name: 'Intel(R) Xeon(R) Processor',
        Manufacturer: 'GenuineIntel',
        ProcessorId: '1F8BFBFF000C06F2',
        NumberOfCores: 2,
        NumberOfLogicalProcessors: 2,
        MaxClockSpeed: 2100,
        CurrentClockSpeed: 2100,
      },
    ],
    Win32_LogicalDisk: [
      {
        DeviceID: 'C:',
        DriveType: 3,
        Size: '82252800000',
        FreeSpace: '59600842752',
        VolumeName: '',
      },
      {
        DeviceID: 'Z:',
        DriveType: 3,
        Size: '82252800000',
        FreeSpace: '59600834560',
        VolumeName: '',
      },
    ],
    Win32_NetworkAdapter: [
      {
        Index: 2,
        InterfaceIndex: 2,
        ServiceName: 'ifb0',
        Name: 'ifb0',
        MACAddress: '0a:42:18:e9:8f:ae',
        PhysicalAdapter: true,
        AdapterTypeId: 0,
      },
      {
        Index: 3,
        InterfaceIndex: 3,
        ServiceName: 'ifb1',
        Name: 'ifb1',
        MACAddress: 'b2:9e:66:5c:48:d0',
        PhysicalAdapter: true,
        AdapterTypeId: 0,
      },
      {
        Index: 4,
        InterfaceIndex: 4,
        ServiceName: 'eth0',
        Name: 'eth0',
        MACAddress: '02:fc:00:00:00:01',
        PhysicalAdapter: true,
        AdapterTypeId: 0,
      },
    ],
    Win32_NetworkAdapterConfiguration: [
      {
        Index: 2,
        IPEnabled: true,
        IPAddress: null,
        IPSubnet: null,
        DefaultIPGateway: null,
        DNSServerSearchOrder: ['10.255.255.53'],
        DHCPEnabled: true,
      },
      {
        Index: 3,
        IPEnabled: true,
        IPAddress: null,
        IPSubnet: null,
        DefaultIPGateway: null,
        DNSServerSearchOrder: ['10.255.255.53'],
        DHCPEnabled: true,
      },
      {
        Index: 4,
        IPEnabled: true,
        IPAddress: ['fd00::2', 'fe80::fc:ff:fe00:1%4', '192.0.2.2'],
        IPSubnet: ['64', '64', '255.255.255.0'],
        DefaultIPGateway: ['192.0.2.1'],
        DNSServerSearchOrder: ['10.255.255.53'],
        DHCPEnabled: true,
      },
    ],
    Win32_IP4RouteTable: [
      {
        Destination: '0.0.0.0',
        Mask: null,
        NextHop: '192.0.2.1',
        InterfaceIndex: 4,
        Metric1: null,
      },
    ],
    Win32_Battery: [],
    BatteryStaticData: [],
    BatteryFullChargedCapacity: [],
    WmiMonitorID: [],
    Win32_Printer: [],
    Win32_VideoController: [
      {
        Name: 'VideoController1',
        AdapterCompatibility: '(Standard display types)',
        AdapterRAM: 536870912,
        VideoProcessor: 'VideoController1',
        CurrentHorizontalResolution: 1024,
        CurrentVerticalResolution: 768,
        CurrentRefreshRate: 0,
      },
    ],
    Win32_Service: [
      {
        Name: 'BITS',
        DisplayName: 'BITS Service',
        State: 'Stopped',
        StartMode: 'Manual',
        StartName: null,
      },
      {
        Name: 'Eventlog',
        DisplayName: 'Event Log',
        State: 'Running',
        StartMode: 'Auto',
        StartName: null,
      },
      {
        Name: 'FontCache',
        DisplayName: 'Windows Font Cache Service',
        State: 'Stopped',
        StartMode: 'Manual',
        StartName: null,
      },
      {
        Name: 'FontCache3.0.0.0',
        DisplayName: 'Windows Presentation Foundation Font Cache 3.0.0.0',
        State: 'Stopped',
        StartMode: 'Manual',
        StartName: null,
      },
    ],
    Win32_Group: [],
  },
  registry: {
    '64 HKLM\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Environment': { PROCESSOR_ARCHITECTURE: 'AMD64' },
    [`64 ${uninstall}\\Editor`]: { DisplayName: 'Editor 64', DisplayVersion: '1.2' },
    [`32 ${uninstall}\\Tool`]: { DisplayName: 'Werkzeug für 32' },
  },
}
