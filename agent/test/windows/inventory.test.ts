import { expect, test } from 'vitest'
import { collectSections } from '../../src/inventory/collect.ts'
import type { SourceAnswer } from '../../src/platform/reports.ts'
import { windowsSections } from '../../src/platform/windows/inventory/sections.ts'
import { toOperatingSystem } from '../../src/platform/windows/inventory/system.ts'
import { contentsOf } from './collected.ts'
import { type RecordedWindows, recordedAccess } from './recorded-access.ts'
import { laptop } from './recorded-laptop.ts'

test('a Windows computer reports every section', async () => {
  const contents = await contentsOf(laptop)

  expect(contents.system).toEqual({
    fqdn: 'pc-0017.corp.example.org',
    operatingSystem: 'Microsoft Windows 11 Enterprise',
    osName: 'Windows 11',
    osEdition: 'Enterprise',
    osVersion: '10.0.22631',
    osBuild: '22631',
    osLogin: 'CORP\\jdoe',
    platform: 'Windows',
    language: 'de-DE',
    architecture: 'AMD64',
    bitVersion: 64,
    processorName: 'Contoso Core 7 @ 2.80GHz',
    processorCount: 1,
    processorMhz: 2803,
    memoryMb: 16117,
    biosVersion: 'N2WET43W (1.33 )',
    biosDate: '2023-04-17',
    ipAddress: '192.0.2.17',
    loggedOnUser: 'CORP\\jdoe',
    userIsAdmin: true,
    timeZone: 'Europe/Berlin',
    displayAdapter: 'Contoso Graphics 620',
    screenResolution: '1920 x 1080',
    vmType: null,
    tempDirSizeMb: 350,
  })
  expect(contents.bios).toMatchObject({ serialNumber: 'PF3K9XYZ', uuid: '3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11' })
  expect(contents.computerSystem).toEqual({ manufacturer: 'Contoso', model: 'Notebook 400' })
  expect(contents.processors).toMatchObject([{ numberOfCores: 4, maxClockSpeedMhz: 2803, currentClockSpeedMhz: 1190 }])
  expect(contents.services).toMatchObject([
    { name: 'BITS', status: 'StartPending' },
    { name: 'Spooler', displayName: 'Print Spooler', status: 'Running', startMode: 'Auto', account: 'LocalSystem' },
    { name: 'wuauserv', status: 'Stopped', startMode: 'Manual' },
  ])
})

/** What this laptop does not have: it is no virtual machine, and shares no printer. */
const absentHere = ['system.vmType', 'printers.shareName']

test('of every section, Windows fills every property that the computer has', async () => {
  const contents = await contentsOf(laptop)

  const leaves = (path: string, value: unknown): [string, unknown][] =>
    value !== null && typeof value === 'object'
      ? Object.entries(value).flatMap(([name, inner]) => leaves(`${path}.${name}`, inner))
      : [[path, value]]
  const found = Object.entries(contents).flatMap(([name, content]) =>
    (Array.isArray(content) ? content : [content]).flatMap((item) => leaves(name, item)),
  )
  const filled = new Set(found.flatMap(([path, value]) => (value === null ? [] : [path])))
  expect([...new Set(found.map(([path]) => path))].filter((path) => !filled.has(path)).toSorted()).toEqual(
    absentHere.toSorted(),
  )
  expect(filled.size).toBeGreaterThan(100)
})

test('volumes are listed with their encryption and what unlocks them', async () => {
  const { disks } = await contentsOf(laptop)

  expect(disks).toEqual([
    {
      volume: 'C:',
      driveTypeCode: 3,
      totalSpaceGb: 237.9,
      freeSpaceGb: 101.3,
      label: 'System',
      bitlockerStatus: 'Encrypted',
      bitlockerKeyProtectors: 'Tpm, RecoveryPassword',
    },
    expect.objectContaining({ volume: 'D:', driveTypeCode: 5, totalSpaceGb: null, bitlockerStatus: 'NotAvailable' }),
  ])
})

test('a volume whose protection is suspended counts as unencrypted', async () => {
  const rows = { ...laptop.rows, Win32_EncryptableVolume: [{ DeviceID: 'x', DriveLetter: 'C:', ProtectionStatus: 0 }] }

  const { disks } = await contentsOf({ ...laptop, rows })

  expect(disks).toMatchObject([{ volume: 'C:', bitlockerStatus: 'Unencrypted' }, { volume: 'D:' }])
})

test('physical adapters are listed, and their addresses of IPv4 come first', async () => {
  const { networkAdapters } = await contentsOf(laptop)

  expect(networkAdapters).toEqual([
    {
      serviceName: 'Netwtw14',
      description: 'Contoso Wi-Fi 6E',
      ipAddress: '192.0.2.17',
      macAddress: '00:1B:44:11:3A:B7',
      subnetMask: '255.255.255.0',
      defaultGateway: '192.0.2.1',
      dnsServer: '192.0.2.53, 192.0.2.54',
      connectionType: 'Wi-Fi',
      isDhcp: true,
    },
    expect.objectContaining({ description: 'Contoso Ethernet I219', ipAddress: null, connectionType: 'Ethernet' }),
  ])
})

test('batteries, monitors, printers and graphics cards are put together from several sources', async () => {
  const { batteries, monitors, printers, videoControllers } = await contentsOf(laptop)

  expect(batteries).toEqual([
    {
      name: '5B10W13930',
      chemistry: 'Lithium-ion',
      deviceId: 'LGC-5B10W13930-1035',
      batteryStatus: 'Charging',
      designedCapacityMwh: 57000,
      fullChargedCapacityMwh: 48450,
      remainingCapacityPercent: 85,
    },
  ])
  expect(monitors).toMatchObject([
    {
      caption: 'Contoso 24',
      manufacturer: 'Dell Inc.',
      monitorType: 'Digital',
      serialNumber: 'CN0123456',
      vendorId: 'DEL',
      monitorSize: '24.0',
      screenWidth: 2560,
      screenHeight: 1440,
      manufacturingYear: 2023,
      manufacturingWeek: 17,
    },
  ])
  expect(printers).toMatchObject([
    {
      name: 'Floor 2',
      driverVersion: '8.4.1716.0',
      isNetworkPrinter: true,
      isDefault: true,
      horizontalResolution: 600,
    },
    { name: 'Microsoft Print to PDF', isNetworkPrinter: false, isDefault: false, driverVersion: null },
  ])
  expect(videoControllers).toMatchObject([{ adapterRam: '8589934592', videoModeDescription: '1920 x 1080' }])
})

test('memory of a graphics card beyond 2 GB is a positive number without the note of its driver', async () => {
  const { videoControllers } = await contentsOf({ rows: laptop.rows })

  expect(videoControllers).toMatchObject([{ adapterRam: '4293918720' }])
})

test('software is listed from both views and from signed-in users, without updates and parts', async () => {
  const { installedSoftware } = await contentsOf(laptop)

  expect(installedSoftware).toEqual([
    { productName: 'Chat', version: '9.9', publisher: 'Contoso' },
    { productName: 'Example Editor (x64)', version: '4.2.1', publisher: 'Contoso' },
    { productName: 'Old Tool', version: '1.0', publisher: 'Contoso' },
  ])
})

test.each([
  ['Microsoft Windows Server 2022 Datacenter', 'Windows Server 2022', 'Datacenter'],
  ['Microsoft Windows 10 Pro', 'Windows 10', 'Pro'],
  ['Microsoft Windows Server 2012 R2 Standard', 'Windows Server 2012 R2', 'Standard'],
])('%s has a name without its edition', (Caption, osName, osEdition) => {
  expect(toOperatingSystem({ Caption }, undefined)).toMatchObject({ operatingSystem: Caption, osName, osEdition })
})

test('a source that fails costs only its own answer, and the self-test shows why', async () => {
  const { Win32_Printer: _, Win32_EncryptableVolume: __, ...rows } = laptop.rows
  const answers: SourceAnswer[] = []

  const sections = await collectSections(
    windowsSections(recordedAccess({ ...laptop, rows }), (answer) => answers.push(answer)),
    () => {},
  )

  expect(sections).not.toHaveProperty('printers')
  expect(Object.keys(sections)).toHaveLength(12)
  expect(sections.disks?.body).toMatchObject({ items: [{ bitlockerStatus: 'NotAvailable' }, {}] })
  expect(answers).toContainEqual(
    expect.objectContaining({
      source: 'WMI root\\cimv2 Win32_Printer',
      state: 'unknown',
      answer: expect.stringContaining('the namespace does not exist'),
    }),
  )
  expect(answers).toContainEqual(
    expect.objectContaining({
      source: 'WMI root\\cimv2 Win32_Service',
      asked: 'SELECT Name, DisplayName, State, StartMode, StartName FROM Win32_Service',
      answer: expect.stringMatching(/^3 rows, the first: {"Name":"wuauserv",/),
      state: 'ok',
    }),
  )
})

test('a user who is signed in from elsewhere is the logged-on user', async () => {
  const [computer = {}] = laptop.rows.Win32_ComputerSystem ?? []
  const rows = { ...laptop.rows, Win32_ComputerSystem: [{ ...computer, UserName: null }] }

  const nobody = await contentsOf({ ...laptop, rows })
  const somebody = await contentsOf({ ...laptop, rows, sessions: ['CORP\\asmith'] })

  expect(nobody.system).toMatchObject({ loggedOnUser: null, userIsAdmin: null })
  // Nobody knows the groups of this user, which costs only that.
  expect(somebody.system).toMatchObject({ loggedOnUser: 'CORP\\asmith', userIsAdmin: null })
})

test('each source is asked once in a collection', async () => {
  const answers: SourceAnswer[] = []

  await collectSections(
    windowsSections(recordedAccess(laptop), (answer) => answers.push(answer)),
    () => {},
  )

  const questions = answers.map(({ source, asked }) => `${source}: ${asked}`)
  expect(questions.length).toBeGreaterThan(20)
  expect(new Set(questions).size).toBe(questions.length)
})

test('a computer on which no source answers reports what needs none', async () => {
  const contents = await contentsOf({ rows: {} })

  expect(Object.keys(contents)).toEqual(['security'])
})

test('the clock, the charge and small changes of free space are not worth a report', async () => {
  const hashes = async (rows: RecordedWindows['rows']) => {
    const sections = await collectSections(windowsSections(recordedAccess({ ...laptop, rows })), () => {})
    return Object.fromEntries(Object.entries(sections).map(([name, { hash }]) => [name, hash]))
  }
  const [processor, battery, volume] = [
    laptop.rows.Win32_Processor?.[0] ?? {},
    laptop.rows.Win32_Battery?.[0] ?? {},
    laptop.rows.Win32_LogicalDisk?.[1] ?? {},
  ]

  const later = await hashes({
    ...laptop.rows,
    Win32_Processor: [{ ...processor, CurrentClockSpeed: 2600 }],
    Win32_Battery: [{ ...battery, BatteryStatus: 1 }],
    Win32_LogicalDisk: [laptop.rows.Win32_LogicalDisk?.[0] ?? {}, { ...volume, FreeSpace: '108782190000' }],
  })

  expect(later).toEqual(await hashes(laptop.rows))
})
