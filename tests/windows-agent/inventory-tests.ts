import { expect, test } from 'vitest'
import { seenByWine, type Wine } from '../../agent/test/windows/wine.ts'

type Reported = {
  system: { platform: string; memoryMb: number }
  services: { name: string; status: string }[]
  disks: { volume: string; driveTypeCode: number; totalSpaceGb: number }[]
  installedSoftware: { productName: string; version: string | null }[]
  security: { firewall: object; secureBoot: object; scriptPolicy: object }
}

const software = 'Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall'
const policy = 'HKLM\\SYSTEM\\CurrentControlSet\\Services\\SharedAccess\\Parameters\\FirewallPolicy'
const sessionManager = 'HKLM\\SYSTEM\\CurrentControlSet\\Control\\Session Manager'

/** Key, value, type and data, and the view of the registry if it is not that of 64-bit programs. */
const entries = [
  [`HKLM\\${software}\\Editor`, 'DisplayName', 'REG_SZ', 'Editor of 64 bits', '/reg:64'],
  [`HKLM\\${software}\\Editor`, 'DisplayVersion', 'REG_SZ', '4.2.1', '/reg:64'],
  [`HKLM\\${software}\\Part`, 'DisplayName', 'REG_SZ', 'A part of the editor', '/reg:64'],
  [`HKLM\\${software}\\Part`, 'SystemComponent', 'REG_DWORD', '1', '/reg:64'],
  [`HKLM\\${software}\\Tool`, 'DisplayName', 'REG_SZ', 'Tool of 32 bits', '/reg:32'],
  [`HKCU\\${software}\\Chat`, 'DisplayName', 'REG_SZ', 'Chat of a user', '/reg:64'],
  [`${policy}\\DomainProfile`, 'EnableFirewall', 'REG_DWORD', '1', '/reg:64'],
  [`${policy}\\StandardProfile`, 'EnableFirewall', 'REG_DWORD', '1', '/reg:64'],
  [`${policy}\\PublicProfile`, 'EnableFirewall', 'REG_DWORD', '0', '/reg:64'],
  ['HKLM\\SYSTEM\\CurrentControlSet\\Control\\SecureBoot\\State', 'UEFISecureBootEnabled', 'REG_DWORD', '1', '/reg:64'],
  [sessionManager, 'PendingFileRenameOperations', 'REG_MULTI_SZ', '\\??\\C:\\old.dll', '/reg:64'],
] as const

/** What the agent reads from Windows, compared with what the tools of Windows print. */
export function testInventory(wine: Wine, executable: string): void {
  const agent = (command: string) => wine.run([seenByWine(executable), command])

  test('the inventory has the services, volumes and software that the tools of Windows list', async () => {
    for (const [key, value, type, data, view] of entries)
      expect(await wine.run(['reg', 'add', key, '/v', value, '/t', type, '/d', data, '/f', view])).toMatchObject({
        code: 0,
      })

    const { code, output } = await agent('inventory')

    expect(code).toBe(0)
    // Wine itself writes warnings to the same file.
    const reported = JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1)) as Reported
    const services = Object.fromEntries(reported.services.map(({ name, status }) => [name, status.toUpperCase()]))
    // Wine runs its drivers in services that it does not register.
    const lasting = Object.keys(services).filter((name) => !name.startsWith('Winedevice'))
    expect(await registeredServices(wine)).toEqual(expect.arrayContaining(lasting))
    for (const name of ['RpcSs', 'Eventlog', 'Spooler']) expect(services[name], name).toBe(await stateOf(wine, name))
    expect(reported.disks.map(({ volume, driveTypeCode }) => `${volume} ${driveTypeCode}`)).toEqual(
      await volumesListedBy(wine),
    )
    const names = reported.installedSoftware.map(({ productName }) => productName)
    expect(names).toEqual(expect.arrayContaining(['Chat of a user', 'Editor of 64 bits', 'Tool of 32 bits']))
    expect(names).not.toContain('A part of the editor')
    expect(reported.installedSoftware).toContainEqual(expect.objectContaining({ version: '4.2.1' }))
    expect(reported.system).toMatchObject({ platform: 'Windows', memoryMb: expect.any(Number) })
    expect(reported.security).toMatchObject({
      firewall: {
        isEnabled: false,
        domainProfileEnabled: true,
        privateProfileEnabled: true,
        publicProfileEnabled: false,
      },
      secureBoot: { isSupported: true, isEnabled: true },
      scriptPolicy: { name: 'PowerShell' },
    })
  })

  test('the self-test prints what each source has answered, and why some have not', async () => {
    const { output } = await agent('selftest')

    const lines = output.split(/\r?\n/)
    const after = (line: string, at = 1) => lines[lines.indexOf(line) + at]
    expect(after('  ok       restart required by')).toContain('came: Files to be replaced')
    const services = '  ok       WMI root\\cimv2 Win32_Service'
    expect(after(services)).toContain('asked: SELECT Name, DisplayName, State')
    expect(after(services, 2)).toMatch(/came: \d+ rows, the first: \{"Name":/)
    expect(after('  unknown  WMI root\\SecurityCenter2 AntiVirusProduct', 2)).toContain(
      '0x8004100e (the namespace does not exist',
    )
    expect(after('  ok       command line of the service')).toMatch(
      /came: "?C:\\Program Files\\Muster\\muster-agent\.exe"? service/,
    )
    // Wine does not keep what follows failures of a service.
    expect(after('  FAILED   recovery of the service')).toContain('error 124')
    expect(after('  ok       session at the screen')).toContain('came: 1')
    expect(after('  ok       user is presenting')).toContain('came: false')
    // Wine has the Windows Update Agent by name only.
    expect(after('  FAILED   patches')).toContain('0x80004001 (not implemented on this system)')
    expect(output).toMatch(/\d+ ok, \d+ unknown, [1-9]\d* failed/)
    expect(lines.slice(lines.indexOf('What to report'))).toContain('  Each line with "FAILED".')
  })
}

async function registeredServices(wine: Wine): Promise<string[]> {
  const { output } = await wine.run(['reg', 'query', 'HKLM\\SYSTEM\\CurrentControlSet\\Services'])
  return [...output.matchAll(/\\Services\\([^\\\r\n]+)\r?$/gm)].map(([, name = '']) => name)
}

async function stateOf(wine: Wine, service: string): Promise<string | undefined> {
  const { output } = await wine.run(['sc', 'query', service])
  return /STATE\s*: \d+\s+(\w+)/.exec(output)?.[1]
}

/** `wmic` prints UTF-16. */
async function volumesListedBy(wine: Wine): Promise<string[]> {
  const { output } = await wine.run(['wmic', 'logicaldisk', 'get', 'DeviceID,DriveType'])
  const found = [...output.replaceAll('\0', '').matchAll(/^([A-Z]:)\s+(\d)/gm)]
  expect(found.length).toBeGreaterThan(0)
  return found.map(([, volume, type]) => `${volume} ${type}`)
}
