import { describe, expect, test } from 'vitest'
import { canonicalHash } from '../../src/inventory/canonical-hash.ts'
import { collectDisks } from '../../src/platform/linux/inventory/disks.ts'
import { collectNetworkAdapters } from '../../src/platform/linux/inventory/network-adapters.ts'
import { computer } from './fixture.ts'

const gigabyte = 1024 ** 3

const mountinfo = `22 27 0:20 / /sys rw,nosuid - sysfs sysfs rw
27 1 254:1 / / rw,relatime - ext4 /dev/mapper/vg-root rw
30 27 254:1 /var/lib/thing /srv/bound rw - ext4 /dev/mapper/vg-root rw
31 27 8:1 / /boot rw - ext4 /dev/sda1 rw
32 27 8:17 / /media/Stick\\040one rw - vfat /dev/sdb1 rw
33 27 0:45 / /mnt/share rw - nfs4 server.example.org:/share rw
34 27 7:0 / /snap/core/1 ro - squashfs /dev/loop0 ro
35 27 0:50 /@home /home rw - btrfs /dev/mapper/luks-data rw,subvol=/@home
36 27 11:0 / /media/disc ro - iso9660 /dev/sr0 ro
37 27 0:60 / /run/user/1000/doc rw - fuse.portal portal rw`

const block = '/sys/devices/virtual/block'
const files = {
  '/proc/self/mountinfo': mountinfo,
  // The root lies on LVM on LUKS.
  '/sys/dev/block/254:1': `-> ${block}/dm-1`,
  [`${block}/dm-1/dm/uuid`]: 'LVM-abc',
  [`${block}/dm-1/slaves/dm-0`]: `-> ${block}/dm-0`,
  '/sys/class/block/dm-0': `-> ${block}/dm-0`,
  [`${block}/dm-0/dm/uuid`]: 'CRYPT-LUKS2-0123456789-luks-root',
  [`${block}/dm-0/slaves/sda2/`]: '',
  '/sys/dev/block/8:1': '-> /sys/devices/pci/block/sda/sda1',
  '/sys/devices/pci/block/sda/sda1/partition': '1',
  '/sys/devices/pci/block/sda/removable': '0',
  '/sys/dev/block/8:17': '-> /sys/devices/usb/block/sdb/sdb1',
  '/sys/devices/usb/block/sdb/sdb1/partition': '1',
  '/sys/devices/usb/block/sdb/removable': '1',
  '/dev/disk/by-label/Stick\\x20one': '-> /dev/sdb1',
  '/dev/sdb1': '',
  '/dev/mapper/luks-data': '-> /dev/dm-2',
  '/dev/dm-2': '',
  '/sys/class/block/dm-2': `-> ${block}/dm-2`,
  [`${block}/dm-2/dm/uuid`]: 'CRYPT-LUKS1-99-luks-data',
  '/sys/dev/block/11:0': '-> /sys/devices/pci/block/sr0',
  '/sys/devices/pci/block/sr0/removable': '1',
}
const space: Record<string, [number, number]> = {
  '/': [237.94 * gigabyte, 101.32 * gigabyte],
  '/boot': [gigabyte, gigabyte / 2],
  '/media/Stick one': [30 * gigabyte, 0],
  '/home': [500 * gigabyte, 250 * gigabyte],
  '/media/disc': [4 * gigabyte, 0],
}

describe('disks', () => {
  test('disks are reported as volumes with kind, space and encryption', async () => {
    const { items } = await collectDisks(await computer({ files, space }))

    expect(items.map((item) => Object.values({ ...item, label: item.label ?? '-' }).length)).toEqual(items.map(() => 7))
    expect(items).toMatchObject([
      {
        ...{ volume: '/', driveTypeCode: 3, totalSpaceGb: 237.9, freeSpaceGb: 101.3 },
        ...{ bitlockerStatus: 'Encrypted', bitlockerKeyProtectors: 'LUKS2' },
      },
      { volume: '/boot', driveTypeCode: 3, bitlockerStatus: 'NotAvailable', bitlockerKeyProtectors: null },
      { volume: '/home', driveTypeCode: 3, bitlockerStatus: 'Encrypted', bitlockerKeyProtectors: 'LUKS1' },
      {
        ...{ volume: '/media/Stick one', driveTypeCode: 2, label: 'Stick one', freeSpaceGb: 0 },
        bitlockerStatus: 'Unencrypted',
      },
      { volume: '/media/disc', driveTypeCode: 5 },
      { volume: '/mnt/share', driveTypeCode: 4, totalSpaceGb: null, bitlockerStatus: 'NotAvailable' },
    ])
  })

  test('disks count as changed only when a percent of their space is used or freed', async () => {
    const hashWithFree = async (free: number) => {
      const { hashed } = await collectDisks(
        await computer({ files, space: { ...space, '/': [200 * gigabyte, free * gigabyte] } }),
      )
      return canonicalHash(hashed)
    }

    expect(await hashWithFree(101.3)).toBe(await hashWithFree(100.4))
    expect(await hashWithFree(101.3)).not.toBe(await hashWithFree(98.9))
  })
})

describe('network adapters', () => {
  const device = '/sys/devices/pci0000:00/0000:00:1f.6'
  const adapters = {
    '/usr/share/hwdata/pci.ids': '8086  Contoso Corporation\n\t15fc  Ethernet I219-LM\n',
    [`${device}/vendor`]: '0x8086',
    [`${device}/device`]: '0x15fc',
    [`${device}/driver`]: '-> /sys/bus/pci/drivers/e1000e',
    '/sys/bus/pci/drivers/e1000e/': '',
    '/sys/class/net/eno1/device': `-> ${device}`,
    '/sys/class/net/eno1/address': '00:1b:44:11:3a:b7\n',
    '/sys/class/net/eno1/type': '1\n',
    '/sys/class/net/wlan0/device/': '',
    '/sys/class/net/wlan0/wireless/x': '',
    '/sys/class/net/docker0/type': '1',
    '/sys/class/net/lo/type': '772',
    '/proc/net/route': [
      'Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT',
      'eno1\t00000000\t010200C0\t0003\t0\t0\t100\t00000000\t0\t0\t0',
      'eno1\t000200C0\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0',
    ].join('\n'),
    '/etc/resolv.conf': 'nameserver 127.0.0.53\n',
    '/run/systemd/resolve/resolv.conf': '# comment\nnameserver 192.0.2.53\nnameserver 192.0.2.54\n',
  }
  const addresses = {
    eno1: [
      { family: 'IPv4' as const, address: '192.0.2.17', netmask: '255.255.255.0' },
      { family: 'IPv6' as const, address: '2001:db8::17', netmask: 'ffff:ffff:ffff:ffff::' },
    ],
    wlan0: [{ family: 'IPv6' as const, address: 'fe80::1', netmask: 'ffff:ffff:ffff:ffff::' }],
  }

  test('network adapters are the physical ones, with their addresses and routes', async () => {
    const tools = { ip: '[{},{"ifname":"eno1","addr_info":[{"local":"192.0.2.17","dynamic":true}]}]' }

    const { items } = await collectNetworkAdapters(await computer({ files: adapters, tools, addresses }))

    expect(items).toEqual([
      {
        ...{
          serviceName: 'e1000e',
          description: 'Contoso Corporation Ethernet I219-LM eno1',
          connectionType: 'Ethernet',
        },
        ...{ ipAddress: '192.0.2.17', subnetMask: '255.255.255.0', macAddress: '00:1B:44:11:3A:B7', isDhcp: true },
        ...{ defaultGateway: '192.0.2.1', dnsServer: '192.0.2.53, 192.0.2.54' },
      },
      {
        ...{ serviceName: null, description: 'wlan0', connectionType: 'Wi-Fi', ipAddress: null, subnetMask: null },
        ...{ macAddress: null, isDhcp: false, defaultGateway: null, dnsServer: null },
      },
    ])
  })

  test('network adapters are found without the ip tool too', async () => {
    const { items } = await collectNetworkAdapters(
      await computer({ files: adapters, addresses, tools: { ip: 'no JSON' } }),
    )

    expect(items.map(({ isDhcp }) => isDhcp)).toEqual([false, false])
  })
})
