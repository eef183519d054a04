import type {
  Battery,
  Bios,
  ComputerSystem,
  Disk,
  Monitor,
  Printer,
  Processor,
  VideoController,
} from '../../protocol.ts'
import { drawsOf } from '../../random.ts'
import { isAmong } from '../machine.ts'
import { type Moment, roundGigabytes } from './moment.ts'

export function biosOf({ machine: { model, serial, uuid } }: Moment): Bios {
  return {
    caption: model.firmware,
    manufacturer: model.maker,
    smBiosVersion: model.firmware,
    serialNumber: serial,
    version: `${model.maker.split(/[ ,]/)[0]?.toUpperCase()} - ${model.firmware.replaceAll(/\D/g, '').slice(0, 6)}`,
    uuid,
  }
}

export function computerSystemOf({ machine: { model } }: Moment): ComputerSystem {
  return { manufacturer: model.maker, model: model.name }
}

export function processorsOf({ machine }: Moment): Processor[] {
  const { name, maker, cores, threads, mhz, maxMhz } = machine.model.processor
  const count = machine.model.kind === 'server' ? 2 : 1
  return Array.from({ length: count }, () => ({
    name,
    manufacturer: maker,
    processorId:
      maker === 'Apple' ? null : `BFEBFBFF${(cores * 4_001 + mhz).toString(16).toUpperCase().padStart(8, '0')}`,
    numberOfCores: cores,
    numberOfLogicalProcessors: threads,
    maxClockSpeedMhz: maxMhz,
    currentClockSpeedMhz: mhz,
  }))
}

export function videoControllersOf({ machine: { model } }: Moment): VideoController[] {
  const { graphics, screen } = model
  return [
    {
      name: graphics.name,
      adapterCompatibility: graphics.maker,
      adapterRam: graphics.bytes > 0 ? String(graphics.bytes) : null,
      videoProcessor: graphics.name,
      videoModeDescription: `${screen.width} x ${screen.height}`,
      currentRefreshRate: '60',
    },
  ]
}

const monitors = [
  { name: 'DELL P2423D', maker: 'Dell Inc.', vendor: 'DEL', size: '23.8', width: 2560, height: 1440 },
  { name: 'HP E24 G5', maker: 'Hewlett Packard', vendor: 'HPN', size: '23.8', width: 1920, height: 1080 },
  { name: 'LEN T27h-30', maker: 'Lenovo', vendor: 'LEN', size: '27.0', width: 2560, height: 1440 },
  { name: 'EIZO EV2485', maker: 'EIZO', vendor: 'ENC', size: '24.1', width: 1920, height: 1200 },
] as const

export function monitorsOf({ plan, machine }: Moment): Monitor[] {
  const draws = drawsOf(plan.seed, machine.number, 'monitors')
  return Array.from({ length: draws.whole(machine.model.kind === 'desktop' ? 1 : 0, 2) }, () => {
    const { name, maker, vendor, size, width, height } = draws.pick(monitors)
    const density = Math.round(Math.hypot(width, height) / Number(size))
    return {
      caption: name,
      manufacturer: maker,
      monitorType: 'Digital',
      monitorName: name,
      serialNumber: `CN${draws.whole(1_000_000, 9_999_999)}`,
      vendorId: vendor,
      monitorSize: size,
      screenWidth: width,
      screenHeight: height,
      pixelsPerXLogicalInch: density,
      pixelsPerYLogicalInch: density,
      manufacturingYear: draws.whole(2019, 2025),
      manufacturingWeek: draws.whole(1, 52),
    }
  })
}

const batteryNames = { windows: '5B10W13930', linux: 'BAT0', macos: 'InternalBattery-0' } as const

/** The capacity falls with age and use. Some batteries are worn out. */
export function batteriesOf({ plan, machine, epoch }: Moment): Battery[] {
  const { batteryMwh } = machine.model
  if (batteryMwh === null) return []
  const draws = drawsOf(plan.seed, machine.number, 'battery')
  const isWorn = isAmong(machine.number, 0.12, 3)
  const initialHealth = isWorn ? draws.whole(36, 58) : draws.whole(90, 100) - machine.age * 4
  const health = Math.max(20, initialHealth - Math.min(25, epoch * 0.2))
  // Windows and macOS report the model of a battery, and Linux also has names such as BAT0.
  const name = batteryNames[machine.platform]
  return [
    {
      name,
      chemistry: 'Lithium-ion',
      deviceId: `${machine.model.maker.slice(0, 3).toUpperCase()}-${name}-${machine.serial}`,
      batteryStatus: draws.pick(['Charging', 'Discharging', 'Full']),
      designedCapacityMwh: batteryMwh,
      fullChargedCapacityMwh: Math.round((batteryMwh * health) / 100),
      remainingCapacityPercent: Math.round(health),
    },
  ]
}

/** Disks fill up slowly and are cleaned up when they are nearly full. Some stay full. */
export function disksOf(moment: Moment): Disk[] {
  const { plan, machine } = moment
  const isWindows = machine.platform === 'windows'
  const isUnencrypted = isWindows && isAmong(machine.number, 0.09, 5)
  const system = volume(moment, machine.diskGb, 0, isUnencrypted)
  const draws = drawsOf(plan.seed, machine.number, 'more disks')
  const names = isWindows ? ['C:', 'D:'] : ['/', machine.platform === 'macos' ? '/System/Volumes/Data' : '/var']
  const labels = isWindows ? ['Windows', 'Data'] : [null, null]
  const disks: Disk[] = [{ ...system, volume: names[0] ?? 'C:', label: labels[0] ?? null }]
  if (machine.isServer || draws.happens(0.25))
    disks.push({
      ...volume(moment, machine.diskGb * 2, 1, isUnencrypted),
      volume: names[1] ?? 'D:',
      label: labels[1] ?? null,
    })
  if (isWindows && machine.model.kind === 'laptop' && draws.happens(0.1)) disks.push(memoryStick)
  return disks
}

const memoryStick: Disk = {
  volume: 'E:',
  driveTypeCode: 2,
  totalSpaceGb: 28.6,
  freeSpaceGb: 4.2,
  label: 'USB',
  bitlockerStatus: 'Unencrypted',
  bitlockerKeyProtectors: null,
}

type Volume = Omit<Disk, 'volume' | 'label'>

function volume({ plan, machine, epoch }: Moment, sizeGb: number, at: number, isUnencrypted: boolean): Volume {
  const draws = drawsOf(plan.seed, machine.number, 'disk', at)
  const isFull = at === 0 && isAmong(machine.number, 0.07, 4)
  const initialFree = isFull ? 0.03 + draws.next() * 0.05 : 0.2 + draws.next() * 0.6
  const filled = isFull ? 0 : (epoch * (0.001 + draws.next() * 0.004)) % (initialFree - 0.12)
  const total = roundGigabytes(sizeGb * 0.931)
  const isMac = machine.platform === 'macos'
  const isEncrypted = machine.platform === 'linux' ? draws.happens(0.5) : !isUnencrypted
  return {
    driveTypeCode: 3,
    totalSpaceGb: total,
    freeSpaceGb: roundGigabytes(total * (initialFree - filled)),
    bitlockerStatus: isMac ? 'NotAvailable' : isEncrypted ? 'Encrypted' : 'Unencrypted',
    bitlockerKeyProtectors: isEncrypted && machine.platform === 'windows' ? 'Tpm, RecoveryPassword' : null,
  }
}

export function printersOf({ machine }: Moment): Printer[] {
  const { code, name } = machine.site
  const floor = 1 + (machine.number % 4)
  const isWindows = machine.platform === 'windows'
  const common = { capabilityDescriptions: 'Color, Duplex', horizontalResolution: 600, verticalResolution: 600 }
  return [
    {
      ...common,
      name: `${name} floor ${floor}`,
      port: isWindows ? `IP_print-${code}-${floor}` : `ipp://print-${code}.example.org/floor${floor}`,
      shareName: `${code}-floor${floor}`,
      driverName: 'Kyocera TASKalfa 3554ci KX',
      driverVersion: '8.4.1716.0',
      comment: 'Next to the kitchen',
      caption: `${name} floor ${floor}`,
      isNetworkPrinter: true,
      isDefault: true,
    },
    ...(isWindows ? [pdfPrinter] : []),
  ]
}

const pdfPrinter: Printer = {
  name: 'Microsoft Print to PDF',
  port: 'PORTPROMPT:',
  shareName: null,
  driverName: 'Microsoft Print To PDF',
  driverVersion: '10.0.26100.1',
  comment: null,
  caption: 'Microsoft Print to PDF',
  capabilityDescriptions: 'Color',
  isNetworkPrinter: false,
  isDefault: false,
  horizontalResolution: 600,
  verticalResolution: 600,
}
