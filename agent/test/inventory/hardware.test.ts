import { describe, expect, test } from 'vitest'
import { parseEdid } from '../../src/platform/common/edid.ts'
import { collectBatteries } from '../../src/platform/linux/inventory/batteries.ts'
import { biosDate, collectBios } from '../../src/platform/linux/inventory/bios.ts'
import { collectComputerSystem } from '../../src/platform/linux/inventory/computer-system.ts'
import { collectMonitors } from '../../src/platform/linux/inventory/monitors.ts'
import { collectPrinters } from '../../src/platform/linux/inventory/printers.ts'
import { collectProcessors } from '../../src/platform/linux/inventory/processors.ts'
import { collectVideoControllers } from '../../src/platform/linux/inventory/video-controllers.ts'
import { computer, edidBlock, type Tree } from './fixture.ts'

const below = (folder: string, files: Tree): Tree =>
  Object.fromEntries(Object.entries(files).map(([name, content]) => [`${folder}/${name}`, content]))

describe('the firmware', () => {
  const dmi = below('/sys/class/dmi/id', {
    bios_vendor: 'Contoso\n',
    bios_version: 'N2WET43W (1.33 )\n',
    bios_release: '1.33',
    bios_date: '04/17/2023\n',
    product_serial: 'PF3K9XYZ',
    product_uuid: '3F0C9A52-7C1E-4F0A-9D55-0B8F6F8C1B11',
    sys_vendor: 'Contoso',
    product_name: 'Desk 400',
  })

  test('the firmware is reported as the kernel shows it', async () => {
    const system = await computer({ files: dmi })

    expect(await collectBios(system)).toEqual({
      item: {
        caption: 'N2WET43W (1.33 )',
        manufacturer: 'Contoso',
        smBiosVersion: 'N2WET43W (1.33 )',
        serialNumber: 'PF3K9XYZ',
        version: '1.33',
        uuid: '3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11',
      },
    })
    expect(await biosDate(system)).toBe('2023-04-17')
    expect(await collectComputerSystem(system)).toEqual({ item: { manufacturer: 'Contoso', model: 'Desk 400' } })
  })

  test('placeholder texts of the firmware are not reported', async () => {
    const files = below('/sys/class/dmi/id', {
      product_serial: 'Default string',
      sys_vendor: 'To Be Filled By O.E.M.',
      product_name: 'System Product Name',
      board_serial: 'B-17',
    })
    const system = await computer({ files })

    expect((await collectBios(system)).item.serialNumber).toBe('B-17')
    expect(await collectComputerSystem(system)).toEqual({ item: { manufacturer: null, model: null } })
  })

  test('a computer without DMI has no firmware section', async () => {
    const system = await computer({ files: { '/proc/device-tree/model': 'Contoso Pi 5\0' } })

    expect(Object.values((await collectBios(system)).item)).toEqual([null, null, null, null, null, null])
    expect((await collectComputerSystem(system)).item.model).toBe('Contoso Pi 5')
  })
})

describe('batteries', () => {
  test('battery capacities are read as energy, or as charge at a voltage', async () => {
    const files = {
      ...below('/sys/class/power_supply/BAT0', {
        type: 'Battery\n',
        energy_full_design: '57000000',
        energy_full: '48450000',
        technology: 'Li-poly',
        status: 'Charging',
        manufacturer: 'LGC',
        model_name: '5B10W13930',
        serial_number: '1234',
      }),
      ...below('/sys/class/power_supply/BAT1', {
        type: 'Battery',
        charge_full_design: '5000000',
        charge_full: '4000000',
        voltage_min_design: '11400000',
      }),
      ...below('/sys/class/power_supply/AC', { type: 'Mains' }),
      ...below('/sys/class/power_supply/hidpp_battery_0', { type: 'Battery', scope: 'Device', status: 'Full' }),
    }

    const { items } = await collectBatteries(await computer({ files }))

    expect(items).toMatchObject([
      {
        ...{ name: '5B10W13930', chemistry: 'Li-poly', deviceId: 'LGC-5B10W13930-1234', batteryStatus: 'Charging' },
        ...{ designedCapacityMwh: 57000, fullChargedCapacityMwh: 48450, remainingCapacityPercent: 85 },
      },
      { name: 'BAT1', deviceId: 'BAT1', designedCapacityMwh: 57000, fullChargedCapacityMwh: 45600 },
    ])
  })

  test('a battery without a design capacity has no wear', async () => {
    const files = below('/sys/class/power_supply/BAT0', {
      type: 'Battery',
      energy_full: '48450000',
      energy_full_design: '0',
    })

    const { items } = await collectBatteries(await computer({ files }))

    expect(items).toMatchObject([{ designedCapacityMwh: 0, remainingCapacityPercent: null }])
  })
})

describe('processors', () => {
  const thread = (number: number, socket: number, core: number) =>
    [
      `processor\t: ${number}`,
      'vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 140\nstepping\t: 1',
      'model name\t: Contoso Core 7 @ 2.80GHz\ncpu MHz\t\t: 3912.123',
      `physical id\t: ${socket}\ncore id\t\t: ${core}\ncpu cores\t: 2`,
    ].join('\n')

  test('processors are counted by socket, with a speed that does not vary between readings', async () => {
    const threads = [0, 1, 2, 3].map((number) => thread(number, number < 2 ? 0 : 1, number % 2))
    const frequency = below('/sys/devices/system/cpu/cpu0/cpufreq', {
      cpuinfo_max_freq: '4700000',
      scaling_cur_freq: '1',
    })
    const system = await computer({ files: { '/proc/cpuinfo': threads.join('\n\n'), ...frequency } })

    const { items } = await collectProcessors(system)

    expect(items).toHaveLength(2)
    expect(items[0]).toEqual({
      name: 'Contoso Core 7 @ 2.80GHz',
      manufacturer: 'GenuineIntel',
      processorId: '000806C1',
      numberOfCores: 2,
      numberOfLogicalProcessors: 2,
      maxClockSpeedMhz: 4700,
      currentClockSpeedMhz: 2800,
    })
  })

  test('ARM processors get their name from lscpu', async () => {
    const files = {
      '/proc/cpuinfo': 'processor\t: 0\nCPU implementer\t: 0x41\n\nprocessor\t: 1\nCPU implementer\t: 0x41',
    }
    const tools = { lscpu: 'Architecture:  aarch64\nVendor ID:     ARM\nModel name:    Cortex-A76\n' }

    const { items } = await collectProcessors(await computer({ files, tools }))

    expect(items).toMatchObject([{ name: 'Cortex-A76', manufacturer: 'ARM', numberOfLogicalProcessors: 2 }])
    expect(items[0]?.processorId).toBeNull()
  })
})

const pciIds =
  'C 03  Display controller\n8086  Contoso Corporation\n\t9a49  Graphics 620\n\t\t1028 0a1f  Desk 400\n10de  Other\n'

describe('graphics', () => {
  const card = '/sys/devices/pci0000:00/0000:00:02.0'
  const files: Tree = {
    '/usr/share/misc/pci.ids': pciIds,
    '/sys/bus/pci/devices/0000:00:02.0': `-> ${card}`,
    ...below(card, {
      class: '0x030000\n',
      vendor: '0x8086\n',
      device: '0x9a49\n',
      mem_info_vram_total: '1073741824\n',
    }),
    [`${card}/driver`]: '-> /sys/bus/pci/drivers/i915',
    '/sys/bus/pci/drivers/i915/': '',
    '/sys/bus/pci/devices/0000:00:1f.0/class': '0x060100',
    ...below(`${card}/drm/card0/card0-eDP-1`, {
      status: 'connected\n',
      modes: '2560x1440\n1920x1080\n',
      edid: edidBlock(),
    }),
    ...below(`${card}/drm/card0/card0-HDMI-A-1`, { status: 'disconnected\n', modes: '', edid: '' }),
    '/sys/class/drm/card0-eDP-1': `-> ${card}/drm/card0/card0-eDP-1`,
    '/sys/class/drm/card0-HDMI-A-1': `-> ${card}/drm/card0/card0-HDMI-A-1`,
    '/usr/share/hwdata/pnp.ids': 'DEL\tContoso Displays\n',
  }

  test('graphics cards have their PCI names and the mode of their monitor', async () => {
    const { items } = await collectVideoControllers(await computer({ files }))

    expect(items).toEqual([
      {
        name: 'Contoso Corporation Graphics 620',
        adapterCompatibility: 'Contoso Corporation',
        adapterRam: '1073741824',
        videoProcessor: 'Graphics 620',
        videoModeDescription: '2560 x 1440',
        currentRefreshRate: '59.95',
      },
    ])
  })

  test('the mode that the kernel has set takes precedence over the preferred one', async () => {
    const state = `plane[31]: plane 1A
	crtc=pipe A
crtc[51]: pipe A
	enable=1
	mode: "1920x1080": 60 148500 1920 2008 2052 2200 1080 1084 1089 1125 0x48 0x5
crtc[72]: pipe B
	mode: "800x600": 56 36000 800 824 896 1024 600 601 603 625 0x40 0x5
connector[95]: HDMI-A-1
	crtc=pipe B
connector[103]: eDP-1
	crtc=pipe A
`
    const { items } = await collectVideoControllers(
      await computer({ files: { ...files, '/sys/kernel/debug/dri/0/state': state } }),
    )

    expect(items).toMatchObject([{ videoModeDescription: '1920 x 1080', currentRefreshRate: '60' }])
  })

  test.each([
    ['the monitor prefers another size', { [`${card}/drm/card0/card0-eDP-1/modes`]: '1920x1080\n' }],
    ['the EDID cannot be read', { [`${card}/drm/card0/card0-eDP-1/edid`]: '' }],
    ['the kernel has switched the monitor off', { [`${card}/drm/card0/card0-eDP-1/modes`]: '' }],
  ])('the refresh rate is unknown if %s', async (_, changes) => {
    const { items } = await collectVideoControllers(await computer({ files: { ...files, ...changes } }))

    expect(items).toMatchObject([{ currentRefreshRate: null }])
  })

  test('monitors are described by their EDID', async () => {
    const { items } = await collectMonitors(await computer({ files }))

    expect(items).toEqual([
      {
        ...{
          caption: 'Contoso 24',
          manufacturer: 'Contoso Displays',
          monitorType: 'Digital',
          monitorName: 'Contoso 24',
        },
        ...{ serialNumber: 'CN0123456', vendorId: 'DEL', monitorSize: '24.0', screenWidth: 2560, screenHeight: 1440 },
        ...{ pixelsPerXLogicalInch: 125, pixelsPerYLogicalInch: 114, manufacturingYear: 2023, manufacturingWeek: 17 },
      },
    ])
  })

  test('a monitor whose vendor id is no word is reported with the others', async () => {
    // Three times the value 27, which is the character behind Z.
    const strange = edidBlock({ 8: 0x6f, 9: 0x7b })
    const second = below('/sys/class/drm/card0-DP-1', { status: 'connected', edid: strange })

    const { items } = await collectMonitors(await computer({ files: { ...files, ...second } }))

    expect(items).toMatchObject([
      { vendorId: '[[[', manufacturer: '[[[' },
      { vendorId: 'DEL', manufacturer: 'Contoso Displays' },
    ])
  })

  test('a damaged, truncated or empty EDID is ignored', () => {
    const damaged = edidBlock()
    damaged[60] = 0xff

    for (const bytes of [damaged, edidBlock().subarray(0, 100), Buffer.alloc(128), Buffer.alloc(0)])
      expect(parseEdid(bytes)).toBeUndefined()
  })

  test('in an EDID, week 255 and year 0 are unknown, and the numeric serial number is used if there is no text', () => {
    expect(parseEdid(edidBlock({ 16: 255, 17: 0, 75: 0xfe }))).toMatchObject({
      week: 0,
      year: 0,
      serialNumber: '825242444',
    })
  })
})

test('printers are the CUPS queues', async () => {
  const listing = `printer Floor2 is idle.  enabled since Mon 02 Mar 2026 10:11:12 AM CET
	Form mounted:
	Content types: any
	Description: Floor 2
	Location: Next to the kitchen
	Connection: direct
printer Desk is idle.  enabled since Mon 02 Mar 2026 10:11:12 AM CET
	Description: On the desk
	Location:
device for Floor2: ipp://printer.example.org/ipp/print
device for Desk: usb://Contoso/Jet?serial=1
system default destination: Desk
`
  const ppd =
    '*NickName: "Contoso Jet, hpcups 3.22"\n*FileVersion: "2.1"\n*ColorDevice: True\n*DefaultResolution: 600x1200dpi\n'
  const system = await computer({ files: { '/etc/cups/ppd/Desk.ppd': ppd }, tools: { lpstat: listing } })

  const { items } = await collectPrinters(system)

  expect(items).toEqual([
    {
      ...{ name: 'Desk', port: 'usb://Contoso/Jet?serial=1', shareName: null, caption: 'On the desk', comment: null },
      ...{ driverName: 'Contoso Jet, hpcups 3.22', driverVersion: '2.1', capabilityDescriptions: 'Color' },
      ...{ isNetworkPrinter: false, isDefault: true, horizontalResolution: 600, verticalResolution: 1200 },
    },
    {
      ...{ name: 'Floor2', port: 'ipp://printer.example.org/ipp/print', shareName: null, caption: 'Floor 2' },
      ...{ comment: 'Next to the kitchen', driverName: null, driverVersion: null, capabilityDescriptions: null },
      ...{ isNetworkPrinter: true, isDefault: false, horizontalResolution: null, verticalResolution: null },
    },
  ])
})
