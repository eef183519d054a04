import { describe, expect, test } from 'vitest'
import { collectInstalledSoftware } from '../../src/platform/linux/inventory/installed-software.ts'
import { collectSecurity } from '../../src/platform/linux/inventory/security.ts'
import { collectServices } from '../../src/platform/linux/inventory/services.ts'
import { collectSystem } from '../../src/platform/linux/inventory/system.ts'
import { computer } from './fixture.ts'

describe('installed software', () => {
  test('installed software is what dpkg has installed, once for all architectures', async () => {
    const tools = {
      'dpkg-query':
        'installed\tzlib1g\t1:1.2.13\tMark Brown <broonie@debian.org>\ninstalled\tadduser\t3.134\tDebian Adduser Developers <a@b>\ninstalled\tzlib1g\t1:1.2.13\tMark Brown <broonie@debian.org>\nconfig-files\told\t1\tX\n',
    }

    expect(await collectInstalledSoftware(await computer({ tools }))).toEqual({
      items: [
        { productName: 'adduser', version: '3.134', publisher: 'Debian Adduser Developers' },
        { productName: 'zlib1g', version: '1:1.2.13', publisher: 'Mark Brown' },
      ],
    })
  })

  test('installed software is what rpm has installed, without its keys', async () => {
    const tools = {
      rpm: 'installed\tbash\t5.2-3.fc40\tFedora Project\ninstalled\tgpg-pubkey\t1-2\t(none)\ninstalled\town\t1-1\t(none)\n',
    }

    expect(await collectInstalledSoftware(await computer({ tools }))).toEqual({
      items: [
        { productName: 'bash', version: '5.2-3.fc40', publisher: 'Fedora Project' },
        { productName: 'own', version: '1-1', publisher: null },
      ],
    })
  })

  test('packages of npm and PyPI count if they are installed for all users and not by the distribution', async () => {
    const metadata = (name: string, version: string) =>
      `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n\nName: text\nVersion: 0\n`
    const files = {
      '/usr/lib/node_modules/yarn/package.json': '{"name": "yarn", "version": "1.22.22"}',
      '/usr/local/lib/node_modules/@scope/tool/package.json': '{"name": "@scope/tool", "version": "2.0.0"}',
      '/usr/local/lib/node_modules/broken/package.json': '{"name": "broken", "version": 3',
      '/usr/local/lib/node_modules/.package-lock.json': '{}',
      '/usr/local/lib/python3.11/dist-packages/requests-2.31.0.dist-info/METADATA': metadata('requests', '2.31.0'),
      '/usr/local/lib64/python3.9/site-packages/Foo-1.dist-info/METADATA': metadata('Foo', '1'),
      '/usr/local/lib/python3.11/dist-packages/empty-1.dist-info/': '',
      '/usr/lib/python3/dist-packages/apt-2.6.dist-info/METADATA': metadata('apt', '2.6'),
    }
    const { items = [] } =
      (await collectInstalledSoftware(await computer({ files, tools: { 'dpkg-query': '' } }))) ?? {}

    expect(items).toEqual(
      [
        ['Foo', '1', 'PyPI', 'pypi'],
        ['requests', '2.31.0', 'PyPI', 'pypi'],
        ['@scope/tool', '2.0.0', 'npm', 'npm'],
        ['yarn', '1.22.22', 'npm', 'npm'],
      ]
        .map(([productName, version, publisher, language]) => ({
          ...{ productName, version, publisher, sourceName: productName, sourceVersion: version, language },
        }))
        .toSorted((one, other) => (JSON.stringify(Object.values(one)) < JSON.stringify(Object.values(other)) ? -1 : 1)),
    )
  })

  test('snaps and Flatpak applications count with who publishes them', async () => {
    const tools = {
      'dpkg-query': '',
      snap: 'Name    Version   Rev    Tracking       Publisher   Notes\ncore22  20240904  1621   latest/stable  canonical** base\nnotes   -         x1     -              -           -\n',
      flatpak: 'org.gimp.GIMP\t2.10.38\tstable\tflathub\norg.gnome.Platform\t\t46\tflathub\nNot an application\n',
    }

    expect(await collectInstalledSoftware(await computer({ tools }))).toEqual({
      items: [
        { productName: 'core22', version: '20240904', publisher: 'canonical' },
        { productName: 'notes', version: null, publisher: null },
        { productName: 'org.gimp.GIMP', version: '2.10.38', publisher: 'flathub' },
        { productName: 'org.gnome.Platform', version: '46', publisher: 'flathub' },
      ],
    })
  })

  test('installed software is unknown, not empty, without dpkg and rpm', async () => {
    expect(await collectInstalledSoftware(await computer({}))).toBeUndefined()
  })
})

describe('services', () => {
  test('services are the systemd units with their start mode', async () => {
    const tools = {
      'systemctl list-units --type=service --all --plain --no-legend --no-pager --full': `cron.service loaded active running Regular background program processing daemon
getty@tty1.service loaded active running Getty on tty1
keyboard-setup.service loaded active exited Set the console keyboard layout
gone.service not-found inactive dead gone.service
broken.service loaded failed failed Broken
hidden.service masked inactive dead hidden.service
run-u17.service loaded active running /usr/bin/true
`,
      'systemctl list-unit-files --type=service --all --plain --no-legend --no-pager --full': `cron.service enabled enabled
getty@.service enabled enabled
broken.service disabled enabled
keyboard-setup.service static -
`,
    }

    const found = await collectServices(await computer({ tools }))

    expect(found?.items.map(({ name, status, startMode }) => [name, status, startMode])).toEqual([
      ['broken', 'Failed', 'Manual'],
      ['cron', 'Running', 'Auto'],
      ['getty@tty1', 'Running', 'Auto'],
      ['hidden', 'Stopped', 'Disabled'],
      ['keyboard-setup', 'Exited', 'Manual'],
    ])
    expect(found?.items[1]).toMatchObject({
      displayName: 'Regular background program processing daemon',
      account: null,
    })
  })

  test('services are unknown without systemd', async () => {
    expect(await collectServices(await computer({ tools: { systemctl: '' } }))).toBeUndefined()
    expect(await collectServices(await computer({}))).toBeUndefined()
  })
})

describe('security', () => {
  const secureBoot = '/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c'

  test('the security section of a computer with all protections', async () => {
    const system = await computer({
      files: {
        '/var/lib/clamav/daily.cvd': 'ClamAV-VDB:14 Mar 2020 08-26 -0400:27577:2054:90:aa:bb:raynman:1\n',
        '/etc/ufw/ufw.conf': '# on\nENABLED=yes\nLOGLEVEL=low\n',
        [secureBoot]: Buffer.from([6, 0, 0, 0, 1]),
        '/sys/module/apparmor/parameters/enabled': 'Y\n',
      },
      tools: { clamscan: 'ClamAV 1.0.7/27577/Sat Mar 14 2020\n', systemctl: 'active\ninactive\ninactive\n' },
    })

    expect((await collectSecurity(system)).item).toMatchObject({
      antivirus: {
        ...{ name: 'ClamAV', version: '1.0.7', isEnabled: true, isUpToDate: false },
        definitionsDateUtc: '2020-03-14T12:26:00.000Z',
      },
      firewall: { name: 'ufw', isEnabled: true, domainProfileEnabled: null },
      secureBoot: { isSupported: true, isEnabled: true },
      scriptPolicy: { name: 'AppArmor', policy: 'Enabled' },
    })
  })

  test.each([
    ['firewalld', { tools: { systemctl: 'inactive\ninactive\nactive' } }, { name: 'firewalld', isEnabled: true }],
    [
      'nftables',
      { tools: { nft: 'table inet f {\n type filter hook input priority 0;\n}' } },
      { name: 'nftables', isEnabled: true },
    ],
    ['nftables without rules', { tools: { nft: '' } }, { name: 'nftables', isEnabled: false }],
    ['ufw that is off', { files: { '/etc/ufw/ufw.conf': 'ENABLED=no' } }, { name: 'ufw', isEnabled: false }],
    ['nothing that could be asked', {}, { name: null, isEnabled: null }],
  ])('knows %s', async (_, given, expected) => {
    expect((await collectSecurity(await computer(given))).item.firewall).toMatchObject(expected)
  })

  test('the security section of a computer without any protection', async () => {
    const { item } = await collectSecurity(await computer({ files: { '/sys/fs/selinux/enforce': '0' } }))

    expect(item.antivirus).toEqual({
      name: null,
      version: null,
      isEnabled: null,
      isUpToDate: null,
      definitionsDateUtc: null,
    })
    expect(item.secureBoot).toEqual({ isSupported: false, isEnabled: false })
    expect(item.scriptPolicy).toEqual({ name: 'SELinux', policy: 'Permissive' })
  })
})

test('the system section uses the terms of the contract', async () => {
  const system = await computer({
    files: {
      '/etc/os-release': 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nNAME="Debian GNU/Linux"\nVERSION_ID="12"\n',
      '/etc/locale.conf': 'LANG=de_DE.UTF-8\n',
      '/etc/localtime': '-> /usr/share/zoneinfo/Europe/Berlin',
      '/usr/share/zoneinfo/Europe/Berlin': 'TZif',
      '/etc/group': 'root:x:0:\nsudo:x:27:someone,jdoe\n',
      '/proc/meminfo': 'MemTotal:       16306472 kB\nMemFree: 1 kB\n',
      '/proc/sys/kernel/osrelease': '6.1.0-18-amd64\n',
      '/sys/class/dmi/id/sys_vendor': 'QEMU',
    },
    tools: {
      hostname: 'pc-0017.corp.example.org\n',
      who: 'jdoe     tty2         2026-03-14 09:00\n',
      du: '351\t/tmp\n',
    },
    addresses: { eth0: [{ family: 'IPv4', address: '192.0.2.17', internal: false }] },
  })

  const { item } = await collectSystem(system)

  expect(item).toMatchObject({
    ...{
      fqdn: 'pc-0017.corp.example.org',
      operatingSystem: 'Debian GNU/Linux 12 (bookworm)',
      osName: 'Debian GNU/Linux',
    },
    ...{ osEdition: null, osVersion: '12', osBuild: '6.1.0-18-amd64', platform: 'Linux', language: 'de_DE.UTF-8' },
    ...{ loggedOnUser: 'jdoe', osLogin: 'jdoe', userIsAdmin: true, timeZone: 'Europe/Berlin', memoryMb: 15924 },
    ...{ ipAddress: '192.0.2.17', vmType: 'KVM', tempDirSizeMb: 351, processorCount: null, biosVersion: null },
  })
})

test.each([
  [{ '/run/systemd/container': 'lxc\n' }, 'lxc'],
  [{ '/.dockerenv': '' }, 'docker'],
  [{ '/run/.containerenv': 'engine="podman-5.4"\n' }, 'podman'],
  [{ '/proc/sys/kernel/osrelease': '5.15.153.1-microsoft-standard-WSL2\n' }, 'WSL'],
])('a container is named, whatever firmware its host has: %j', async (files, vmType) => {
  const { item } = await collectSystem(await computer({ files: { '/sys/class/dmi/id/sys_vendor': 'QEMU', ...files } }))

  expect(item.vmType).toBe(vmType)
})
