/** What is asked of WMI: the properties of the objects of a class. */
export type WmiQuestion = {
  namespace: string
  from: string
  properties: readonly string[]
  where?: string
}

const question = (namespace: string) => (from: string, properties: string, where?: string) => ({
  namespace,
  from,
  properties: properties.split(' '),
  ...(where && { where }),
})

const cimv2 = question('root\\cimv2')
const wmi = question('root\\wmi')
const standard = question('root\\StandardCimv2')
const securityCenter = question('root\\SecurityCenter2')
const defender = question('root\\Microsoft\\Windows\\Defender')
const volumeEncryption = question('root\\cimv2\\Security\\MicrosoftVolumeEncryption')
const tpm = question('root\\cimv2\\Security\\MicrosoftTpm')

/** All classes of WMI that the inventory reads. A computer without printers or batteries returns no rows for them. */
export const questions = {
  operatingSystem: cimv2(
    'Win32_OperatingSystem',
    'Caption Version BuildNumber OSArchitecture MUILanguages ProductType TotalVisibleMemorySize LastBootUpTime',
  ),
  computerSystem: cimv2(
    'Win32_ComputerSystem',
    'Name DNSHostName Domain PartOfDomain Manufacturer Model TotalPhysicalMemory UserName NumberOfProcessors',
  ),
  product: cimv2('Win32_ComputerSystemProduct', 'UUID IdentifyingNumber'),
  bios: cimv2('Win32_BIOS', 'Caption Manufacturer SMBIOSBIOSVersion SerialNumber Version ReleaseDate'),
  processors: cimv2(
    'Win32_Processor',
    'Name Manufacturer ProcessorId NumberOfCores NumberOfLogicalProcessors MaxClockSpeed CurrentClockSpeed',
  ),
  // Asking a lost file server for its free space would block.
  volumes: cimv2('Win32_LogicalDisk', 'DeviceID DriveType Size FreeSpace VolumeName', 'DriveType <> 4'),
  encryption: volumeEncryption('Win32_EncryptableVolume', 'DeviceID DriveLetter ProtectionStatus'),
  tpm: tpm('Win32_Tpm', 'IsEnabled_InitialValue IsActivated_InitialValue SpecVersion ManufacturerVersion'),
  adapters: cimv2(
    'Win32_NetworkAdapter',
    'Index InterfaceIndex ServiceName Name MACAddress PhysicalAdapter AdapterTypeId',
  ),
  addresses: cimv2(
    'Win32_NetworkAdapterConfiguration',
    'Index IPEnabled IPAddress IPSubnet DefaultIPGateway DNSServerSearchOrder DHCPEnabled',
  ),
  routes: cimv2('Win32_IP4RouteTable', 'Destination Mask NextHop InterfaceIndex Metric1', "Destination = '0.0.0.0'"),
  media: standard('MSFT_NetAdapter', 'InterfaceIndex NdisPhysicalMedium'),
  batteries: cimv2('Win32_Battery', 'DeviceID Name Chemistry BatteryStatus DesignCapacity FullChargeCapacity'),
  batteryDesign: wmi(
    'BatteryStaticData',
    'InstanceName DeviceName ManufactureName SerialNumber UniqueID Chemistry DesignedCapacity',
  ),
  batteryCapacity: wmi('BatteryFullChargedCapacity', 'InstanceName FullChargedCapacity'),
  monitors: wmi(
    'WmiMonitorID',
    'InstanceName ManufacturerName UserFriendlyName SerialNumberID YearOfManufacture WeekOfManufacture',
  ),
  printers: cimv2(
    'Win32_Printer',
    'Name PortName ShareName DriverName Comment Caption CapabilityDescriptions Network Default HorizontalResolution VerticalResolution',
  ),
  printerDrivers: standard('MSFT_PrinterDriver', 'Name DriverVersion'),
  videoControllers: cimv2(
    'Win32_VideoController',
    'Name AdapterCompatibility AdapterRAM VideoProcessor CurrentHorizontalResolution CurrentVerticalResolution CurrentRefreshRate',
  ),
  services: cimv2('Win32_Service', 'Name DisplayName State StartMode StartName'),
  antivirus: securityCenter('AntiVirusProduct', 'displayName productState timestamp'),
  otherFirewalls: securityCenter('FirewallProduct', 'displayName productState'),
  defender: defender(
    'MSFT_MpComputerStatus',
    'AMProductVersion AntivirusEnabled RealTimeProtectionEnabled AntivirusSignatureLastUpdated AntivirusSignatureAge',
  ),
  administrators: cimv2('Win32_Group', 'Name', "LocalAccount = TRUE AND SID = 'S-1-5-32-544'"),
} as const satisfies Record<string, WmiQuestion>
