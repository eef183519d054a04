import { expect, test } from 'vitest'
import { collectSections } from '../../src/inventory/collect.ts'
import type { SourceAnswer } from '../../src/platform/reports.ts'
import { toMonitor } from '../../src/platform/windows/inventory/monitors.ts'
import { windowsSections } from '../../src/platform/windows/inventory/sections.ts'
import { dateOf } from '../../src/platform/windows/inventory/values.ts'
import { contentsOf } from './collected.ts'
import { type RecordedWindows, recordedAccess } from './recorded-access.ts'
import { laptop } from './recorded-laptop.ts'

/** The laptop with other rows of some classes, and more of the registry. */
const laptopWith = (rows: RecordedWindows['rows'], registry: RecordedWindows['registry'] = {}): RecordedWindows => ({
  ...laptop,
  rows: { ...laptop.rows, ...rows },
  registry: { ...laptop.registry, ...registry },
})

const [wifi, cable] = laptop.rows.Win32_NetworkAdapterConfiguration ?? []

test('the address of a computer is that of the adapter with the preferred route', async () => {
  const addresses = [{ ...cable, IPAddress: ['198.51.100.7'] }, wifi ?? {}]
  const metrics = (ofCable: number, ofWifi: number) => [
    { Destination: '0.0.0.0', InterfaceIndex: 5, Metric1: ofCable },
    { Destination: '0.0.0.0', InterfaceIndex: 12, Metric1: ofWifi },
  ]
  const addressWith = async (...given: Parameters<typeof metrics>) => {
    const rows = { Win32_NetworkAdapterConfiguration: addresses, Win32_IP4RouteTable: metrics(...given) }
    return (await contentsOf(laptopWith(rows))).system
  }

  expect(await addressWith(70, 35)).toMatchObject({ ipAddress: '192.0.2.17' })
  expect(await addressWith(25, 35)).toMatchObject({ ipAddress: '198.51.100.7' })
})

test('a volume that is locked counts as encrypted', async () => {
  const rows = { Win32_EncryptableVolume: [{ DeviceID: 'x', DriveLetter: 'C:', ProtectionStatus: 2 }] }

  expect((await contentsOf(laptopWith(rows))).disks).toMatchObject([{ bitlockerStatus: 'Encrypted' }, {}])
})

test('a volume is addressed by its escaped name, once for each kind of key protector', async () => {
  const answers: SourceAnswer[] = []

  await collectSections(
    windowsSections(recordedAccess(laptop), (answer) => answers.push(answer)),
    () => {},
  )

  const calls = answers.filter(({ asked }) => asked.startsWith('GetKeyProtectors'))
  const name = '\\\\\\\\?\\\\Volume{59ec1a1c-0000-0000-0000-100000000000}\\\\'
  for (const { source } of calls) expect(source.endsWith(`Win32_EncryptableVolume.DeviceID="${name}"`)).toBe(true)
  expect(calls.map(({ asked }) => asked)).toEqual(
    Array.from({ length: 10 }, (_, index) => `GetKeyProtectors {"KeyProtectorType":${index + 1}}`),
  )
})

test('a monitor that states 0 as its serial number has none', () => {
  expect(toMonitor({ SerialNumberID: [48, 0, 0] }, undefined)).toMatchObject({ serialNumber: null })
  expect(toMonitor({ SerialNumberID: [49, 48, 0] }, undefined)).toMatchObject({ serialNumber: '10' })
})

const uninstall = 'SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Uninstall'

test('software of users of a cloud directory is listed, and neither that of services nor parts of products', async () => {
  const inHive = (user: string) => `64 HKU\\${user}\\${uninstall.replace('SOFTWARE', 'Software')}\\App`
  const { installedSoftware } = await contentsOf(
    laptopWith(
      {},
      {
        [inHive('S-1-12-1-2735-1184-3391-77')]: { DisplayName: 'Of a cloud user' },
        [inHive('S-1-5-18')]: { DisplayName: 'Of a service' },
        [inHive('.DEFAULT')]: { DisplayName: 'Of nobody' },
        [`64 HKLM\\${uninstall}\\Child`]: { DisplayName: 'Of another product', ParentKeyName: 'Parent' },
      },
    ),
  )

  const names = (installedSoftware as { productName: string }[]).map(({ productName }) => productName)
  expect(names).toEqual(['Chat', 'Example Editor (x64)', 'Of a cloud user', 'Old Tool'])
})

test('the default printer is that of the system where no user has chosen one', async () => {
  const { registry: _, ...withoutUsers } = laptop

  expect((await contentsOf(withoutUsers)).printers).toMatchObject([
    { name: 'Floor 2', isDefault: false },
    { name: 'Microsoft Print to PDF', isDefault: true },
  ])
})

test('without a signed-in user, the login is that of the last one', async () => {
  const [computer = {}] = laptop.rows.Win32_ComputerSystem ?? []
  const rows = { Win32_ComputerSystem: [{ ...computer, UserName: null }] }
  const logonUi = '64 HKLM\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Authentication\\LogonUI'

  const { system } = await contentsOf(laptopWith(rows, { [logonUi]: { LastLoggedOnUser: 'CORP\\asmith' } }))

  expect(system).toMatchObject({ loggedOnUser: null, osLogin: 'CORP\\asmith', userIsAdmin: null })
})

test('Defender is off without protection in real time, and a group policy rules each profile of the firewall', async () => {
  const [defender = {}] = laptop.rows.MSFT_MpComputerStatus ?? []
  const rows = { MSFT_MpComputerStatus: [{ ...defender, RealTimeProtectionEnabled: false, AntivirusSignatureAge: 8 }] }
  const policy = '64 HKLM\\SOFTWARE\\Policies\\Microsoft\\WindowsFirewall'
  const rules = {
    [`${policy}\\PrivateProfile`]: { EnableFirewall: 0 },
    [`${policy}\\PublicProfile`]: { EnableFirewall: 1 },
  }

  const { security } = await contentsOf(laptopWith(rows, rules))

  expect(security).toMatchObject({
    antivirus: { isEnabled: false, isUpToDate: false },
    firewall: { domainProfileEnabled: true, privateProfileEnabled: false, publicProfileEnabled: true },
  })
})

test.each([
  ['20260314092653.000000+060', '2026-03-14T08:26:53.000Z'],
  ['20260314092653.000000-300', '2026-03-14T14:26:53.000Z'],
  ['20260314092653.000000+000', '2026-03-14T09:26:53.000Z'],
])('the date %s of WMI is %s', (text, date) => {
  expect(dateOf(text)?.toISOString()).toBe(date)
})
