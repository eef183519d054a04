import type { Platform } from '../scenario.ts'

export type MachineKind = 'laptop' | 'desktop' | 'server' | 'virtual'

export type Model = {
  platform: Platform | 'any'
  kind: MachineKind
  maker: string
  name: string
  firmware: string
  processor: { name: string; maker: string; cores: number; threads: number; mhz: number; maxMhz: number }
  graphics: { name: string; maker: string; bytes: number }
  screen: { width: number; height: number }
  memoryGb: readonly number[]
  diskGb: readonly number[]
  /** Capacity of a new battery. */
  batteryMwh: number | null
  architecture: 'x64' | 'arm64'
}

const intel = (name: string, cores: number, threads: number, mhz: number, maxMhz: number) => ({
  name: `Intel(R) Core(TM) ${name}`,
  maker: 'GenuineIntel',
  cores,
  threads,
  mhz,
  maxMhz,
})
const amd = (name: string, cores: number, mhz: number, maxMhz: number) => ({
  name: `AMD ${name}`,
  maker: 'AuthenticAMD',
  cores,
  threads: cores * 2,
  mhz,
  maxMhz,
})
const apple = (name: string, cores: number, maxMhz: number) => ({
  name,
  maker: 'Apple',
  cores,
  threads: cores,
  mhz: maxMhz,
  maxMhz,
})
const xeon = (name: string, cores: number, mhz: number) => ({
  name: `Intel(R) Xeon(R) ${name}`,
  maker: 'GenuineIntel',
  cores,
  threads: cores * 2,
  mhz,
  maxMhz: mhz + 900,
})

const gigabyte = 1024 ** 3
const iris = { name: 'Intel(R) Iris(R) Xe Graphics', maker: 'Intel Corporation', bytes: gigabyte }
const uhd = { name: 'Intel(R) UHD Graphics 770', maker: 'Intel Corporation', bytes: gigabyte }
const radeon = { name: 'AMD Radeon(TM) Graphics', maker: 'Advanced Micro Devices, Inc.', bytes: gigabyte / 2 }
const rtx = { name: 'NVIDIA RTX A2000', maker: 'NVIDIA', bytes: 6 * gigabyte }
const appleGraphics = { name: 'Apple M-series GPU', maker: 'Apple', bytes: 0 }
const matrox = { name: 'Matrox G200eW3', maker: 'Matrox Graphics Inc.', bytes: gigabyte / 64 }
const virtualGraphics = { name: 'VMware SVGA 3D', maker: 'VMware, Inc.', bytes: gigabyte / 4 }

const fullHd = { width: 1920, height: 1080 }
const wide = { width: 1920, height: 1200 }
const retina = { width: 3024, height: 1964 }

const pc = { platform: 'any', architecture: 'x64' } as const
const mac = { platform: 'macos', architecture: 'arm64', maker: 'Apple Inc.', graphics: appleGraphics } as const

export const models: readonly Model[] = [
  {
    ...pc,
    kind: 'laptop',
    maker: 'Dell Inc.',
    name: 'Latitude 5440',
    firmware: '1.21.0',
    processor: intel('i5-1345U', 10, 12, 1600, 4700),
    graphics: iris,
    screen: fullHd,
    memoryGb: [16, 16, 32],
    diskGb: [256, 512],
    batteryMwh: 54_000,
  },
  {
    ...pc,
    kind: 'laptop',
    maker: 'LENOVO',
    name: 'ThinkPad T14 Gen 4',
    firmware: 'N3QET48W (1.48 )',
    processor: amd('Ryzen 7 PRO 7840U', 8, 3300, 5100),
    graphics: radeon,
    screen: wide,
    memoryGb: [16, 32],
    diskGb: [512, 1024],
    batteryMwh: 52_500,
  },
  {
    ...pc,
    kind: 'laptop',
    maker: 'HP',
    name: 'EliteBook 840 G10',
    firmware: 'V70 Ver. 01.06.00',
    processor: intel('i7-1365U', 10, 12, 1800, 5200),
    graphics: iris,
    screen: wide,
    memoryGb: [16, 32],
    diskGb: [512],
    batteryMwh: 51_300,
  },
  {
    ...pc,
    kind: 'laptop',
    maker: 'LENOVO',
    name: 'ThinkPad L480',
    firmware: 'R0QET73W (1.50 )',
    processor: intel('i5-8250U', 4, 8, 1600, 3400),
    graphics: { ...uhd, name: 'Intel(R) UHD Graphics 620' },
    screen: fullHd,
    memoryGb: [8, 16],
    diskGb: [256],
    batteryMwh: 45_000,
  },
  {
    ...pc,
    kind: 'desktop',
    maker: 'Dell Inc.',
    name: 'OptiPlex 7010',
    firmware: '1.16.1',
    processor: intel('i5-13500', 14, 20, 2500, 4800),
    graphics: uhd,
    screen: fullHd,
    memoryGb: [8, 16],
    diskGb: [256, 512],
    batteryMwh: null,
  },
  {
    ...pc,
    kind: 'desktop',
    maker: 'HP',
    name: 'Z2 Tower G9 Workstation',
    firmware: 'U50 Ver. 03.04.12',
    processor: intel('i9-13900', 24, 32, 2000, 5600),
    graphics: rtx,
    screen: { width: 3840, height: 2160 },
    memoryGb: [64, 128],
    diskGb: [1024, 2048],
    batteryMwh: null,
  },
  {
    ...pc,
    kind: 'server',
    maker: 'Dell Inc.',
    name: 'PowerEdge R650',
    firmware: '1.13.2',
    processor: xeon('Gold 6338', 32, 2000),
    graphics: matrox,
    screen: { width: 1280, height: 1024 },
    memoryGb: [128, 256],
    diskGb: [960, 1920],
    batteryMwh: null,
  },
  {
    ...pc,
    kind: 'virtual',
    maker: 'VMware, Inc.',
    name: 'VMware20,1',
    firmware: 'VMW201.00V.21805430',
    processor: xeon('Gold 6338', 4, 2000),
    graphics: virtualGraphics,
    screen: { width: 1280, height: 800 },
    memoryGb: [8, 16, 32],
    diskGb: [100, 200],
    batteryMwh: null,
  },
  {
    ...mac,
    kind: 'laptop',
    name: 'MacBookPro18,3',
    firmware: '11881.61.3',
    processor: apple('Apple M1 Pro', 10, 3200),
    screen: retina,
    memoryGb: [16, 32],
    diskGb: [512, 1024],
    batteryMwh: 69_600,
  },
  {
    ...mac,
    kind: 'laptop',
    name: 'Mac14,2',
    firmware: '11881.61.3',
    processor: apple('Apple M2', 8, 3500),
    screen: { width: 2560, height: 1664 },
    memoryGb: [8, 16],
    diskGb: [256, 512],
    batteryMwh: 52_600,
  },
  {
    ...mac,
    kind: 'desktop',
    name: 'Mac15,5',
    firmware: '11881.61.3',
    processor: apple('Apple M3', 8, 4050),
    screen: { width: 4480, height: 2520 },
    memoryGb: [16, 24],
    diskGb: [512],
    batteryMwh: null,
  },
]
