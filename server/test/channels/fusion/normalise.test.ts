import { expect, test } from 'vitest'
import { unixCommandLines, windowsCommandLines } from '../../../src/channels/fusion/jobs/commands.ts'
import { readMessage } from '../../../src/channels/fusion/messages/read-message.ts'
import { normaliseInventory } from '../../../src/channels/fusion/normalisation/normalise.ts'
import { samples } from './fusion-world.ts'

const sectionsOf = (content: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(normaliseInventory(content, false).map(({ name, content }) => [name, JSON.parse(content)]))

const normaliseRecorded = (report: string) => sectionsOf(readMessage(Buffer.from(report)).content)

test('reports of one computer in XML and in JSON have the same result', () => {
  const [xml, json] = [normaliseRecorded(samples.glpiXml), normaliseRecorded(samples.full)]

  for (const section of ['networkAdapters', 'bios', 'computerSystem', 'printers', 'monitors'])
    expect({ [section]: xml[section] }).toEqual({ [section]: json[section] })
  expect((xml.installedSoftware as unknown[]).length).toBe(803)
  expect(xml.installedSoftware).toEqual(json.installedSoftware)
  expect(xml.system).toMatchObject({
    operatingSystem: 'Debian GNU/Linux 12 (bookworm)',
    osName: 'Debian GNU/Linux',
    osVersion: '12.15',
    osBuild: '6.18.44-fc-v445',
    platform: 'Linux',
    architecture: 'aarch64',
    bitVersion: 64,
    memoryMb: 24065,
    ipAddress: '192.0.2.2',
    timeZone: 'UTC',
    vmType: 'Docker',
    osLogin: null,
  })
  expect(xml.disks).toMatchObject([
    { volume: '/', driveTypeCode: 3, totalSpaceGb: 252, bitlockerStatus: 'NotAvailable' },
  ])
})

test('a Windows report keeps its edition, its build, its drives and its firewall profiles', () => {
  const { system, disks, security, bios, batteries, monitors } = sectionsOf({
    hardware: { name: 'PC7', memory: '16384', winlang: '1031', uuid: '3F0C9A52-7C1E-4F0A-9D55-0B8F6F8C1B11' },
    bios: { bmanufacturer: 'Contoso', bversion: '1.33', bdate: '04/17/2023', ssn: 'PF3K9XYZ', secure_boot: 'enabled' },
    operatingsystem: {
      full_name: 'Microsoft Windows 11 Pro',
      kernel_name: 'MSWin32',
      kernel_version: '10.0.22631',
      service_pack: '22631.3007',
      arch: '64-bit',
    },
    drives: [
      { letter: 'C:', type: 'Local Disk', volumn: 'System', total: 243_000, free: 100_000, encrypt_status: 'Yes' },
      { letter: 'D:', type: 'CD-Rom Disc' },
      { letter: 'E:', type: 'Removable Disk', encrypt_status: 'No', total: '32000', free: '16000' },
    ],
    firewalls: [
      { profile: 'DomainProfile', status: 'on' },
      { profile: 'StandardProfile', status: 'off' },
      { profile: 'PublicProfile', status: 'on' },
    ],
    antivirus: [
      { name: 'Old', enabled: 0 },
      { name: 'Contoso Defender', enabled: 1, uptodate: '1', version: '4.18' },
    ],
    batteries: [{ name: 'BAT0', capacity: 50_000, real_capacity: 40_000, chemistry: 'Lion' }],
    monitors: [{ caption: 'Contoso 24', serial: 'CN1', description: '17/2023' }],
    users: [{ login: 'jdoe', domain: 'CORP' }],
  })

  expect(system).toMatchObject({
    osName: 'Windows 11',
    osEdition: 'Pro',
    osVersion: '10.0.22631',
    osBuild: '22631.3007',
    platform: 'Windows',
    language: 'de-DE',
    biosDate: '2023-04-17',
    loggedOnUser: 'CORP\\jdoe',
  })
  expect(disks).toMatchObject([
    { volume: 'C:', driveTypeCode: 3, label: 'System', bitlockerStatus: 'Encrypted' },
    { volume: 'D:', driveTypeCode: 5, totalSpaceGb: null, bitlockerStatus: 'NotAvailable' },
    { volume: 'E:', driveTypeCode: 2, bitlockerStatus: 'Unencrypted' },
  ])
  expect(security).toMatchObject({
    antivirus: { name: 'Contoso Defender', isEnabled: true, isUpToDate: true },
    firewall: {
      name: 'Windows Firewall',
      isEnabled: false,
      domainProfileEnabled: true,
      privateProfileEnabled: false,
      publicProfileEnabled: true,
    },
    secureBoot: { isSupported: true, isEnabled: true },
  })
  expect(bios).toMatchObject({ serialNumber: 'PF3K9XYZ', uuid: '3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11' })
  expect(batteries).toMatchObject([
    { designedCapacityMwh: 50_000, fullChargedCapacityMwh: 40_000, remainingCapacityPercent: 80 },
  ])
  expect(monitors).toMatchObject([{ manufacturingYear: 2023, manufacturingWeek: 17 }])
})

test('a graphics card has the refresh rate of the monitor that prefers its resolution', () => {
  const edid = Buffer.alloc(128)
  edid.set([0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x00])
  // 2560 x 1440 with a pixel clock of 241.5 MHz, 160 blank columns and 41 blank lines.
  edid.set([0x56, 0x5e, 0x00, 0xa0, 0xa0, 0xa0, 0x29, 0x50], 54)
  const { videoControllers } = sectionsOf({
    hardware: { name: 'PC7' },
    videos: [
      { name: 'Graphics 620', resolution: '2560x1440' },
      { name: 'Other', resolution: '1920x1080' },
    ],
    monitors: [{ caption: 'Old' }, { caption: 'Contoso 24', base64: edid.toString('base64') }],
  })

  expect(videoControllers).toMatchObject([
    { videoModeDescription: '2560 x 1440', currentRefreshRate: '59.95' },
    { videoModeDescription: '1920 x 1080', currentRefreshRate: null },
  ])
})

test('a macOS report has the battery capacity in another unit and no design capacity', () => {
  const { system, batteries } = sectionsOf({
    hardware: { name: 'mac' },
    operatingsystem: { name: 'macOS', full_name: 'macOS 14.1', kernel_name: 'darwin', version: '14.1 (23B74)' },
    batteries: { capacity: '4000', voltage: '11500', name: 'bq20z451' },
  })

  expect(system).toMatchObject({ platform: 'macOS', osName: 'macOS', osVersion: '14.1', osBuild: '23B74' })
  expect(batteries).toMatchObject([{ designedCapacityMwh: null, fullChargedCapacityMwh: 46_000 }])
})

test('an OCS report has the operating system within the hardware', () => {
  const { system } = sectionsOf({
    hardware: { name: 'pc', osname: 'Debian GNU/Linux 12', osversion: '12', memory: '2048' },
  })

  expect(system).toMatchObject({
    operatingSystem: 'Debian GNU/Linux 12',
    platform: 'Linux',
    osVersion: '12',
    memoryMb: 2048,
  })
})

test('command lines are quoted for the shells of both platforms', () => {
  const argv = ['setup.exe', '/name', 'O\'Neill & "sons"', '100%', 'C:\\dir with blank\\']

  expect(unixCommandLines.run({ argv, timeLimitMinutes: 2 })).toContain(
    `limit 120 setup.exe /name 'O'\\''Neill & "sons"' 100% 'C:\\dir with blank\\'`,
  )
  expect(windowsCommandLines.run({ argv })).toContain(
    `setup.exe /name "O'Neill & \\"sons\\"" 100%% "C:\\dir with blank\\\\"`,
  )
  expect(windowsCommandLines.run({ shell: 'echo %PATH%' })).toContain('echo %PATH%')
  expect([unixCommandLines.observedCode(3010), windowsCommandLines.observedCode(3010)]).toEqual([194, 3010])
})
