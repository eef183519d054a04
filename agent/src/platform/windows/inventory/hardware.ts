import { toFirmwareUuid } from '../../common/computer.ts'
import { firmwareText } from '../../common/texts.ts'
import type { WmiRow } from '../wmi/wmi.ts'
import { questions } from './questions.ts'
import type { RegistryValues, WindowsSources } from './sources.ts'
import { numberOf, textOf, unsignedOf, wholeOf } from './values.ts'

export async function collectBios(sources: WindowsSources) {
  const [bios] = (await sources.rows(questions.bios)) ?? []
  const [product] = (await sources.rows(questions.product)) ?? []
  return bios && { item: toBios(bios, product) }
}

export function toBios(bios: WmiRow, product: WmiRow | undefined) {
  const serial = firmwareText(textOf(bios.SerialNumber))
  return {
    caption: textOf(bios.Caption),
    manufacturer: firmwareText(textOf(bios.Manufacturer)),
    smBiosVersion: firmwareText(textOf(bios.SMBIOSBIOSVersion)),
    serialNumber: serial ?? firmwareText(textOf(product?.IdentifyingNumber)),
    version: textOf(bios.Version),
    uuid: toFirmwareUuid(textOf(product?.UUID) ?? ''),
  }
}

export async function collectComputerSystem(sources: WindowsSources) {
  const [system] = (await sources.rows(questions.computerSystem)) ?? []
  return (
    system && {
      item: {
        manufacturer: firmwareText(textOf(system.Manufacturer)),
        model: firmwareText(textOf(system.Model)),
      },
    }
  )
}

export async function collectProcessors(sources: WindowsSources) {
  const items = (await sources.rows(questions.processors))?.map(toProcessor)
  // The current clock changes with every reading.
  return items && { items, hashed: items.map(({ currentClockSpeedMhz: _, ...lasting }) => lasting) }
}

export function toProcessor(row: WmiRow) {
  return {
    name: textOf(row.Name),
    manufacturer: textOf(row.Manufacturer),
    processorId: textOf(row.ProcessorId, 64),
    numberOfCores: wholeOf(row.NumberOfCores),
    numberOfLogicalProcessors: wholeOf(row.NumberOfLogicalProcessors),
    maxClockSpeedMhz: wholeOf(row.MaxClockSpeed),
    currentClockSpeedMhz: wholeOf(row.CurrentClockSpeed),
  }
}

const displayClass = 'SYSTEM\\CurrentControlSet\\Control\\Class\\{4d36e968-e325-11ce-bfc1-08002be10318}'

export async function collectVideoControllers(sources: WindowsSources) {
  const rows = await sources.rows(questions.videoControllers)
  if (!rows) return undefined
  const numbers = (await sources.keys('HKLM', displayClass))?.filter((name) => /^\d{4}$/.test(name)) ?? []
  const drivers = await Promise.all(numbers.map((name) => sources.values('HKLM', `${displayClass}\\${name}`)))
  const items = rows.map((row) => toVideoController(row, drivers))
  return { items }
}

/** WMI cannot state more than 4 GB of memory; the driver notes the size in the registry. */
export function toVideoController(row: WmiRow, drivers: readonly (RegistryValues | undefined)[]) {
  const name = textOf(row.Name)
  const driver = drivers.find((values) => values?.DriverDesc !== undefined && textOf(values.DriverDesc) === name)
  const bytes = numberOf(driver?.['HardwareInformation.qwMemorySize']) ?? unsignedOf(row.AdapterRAM)
  const refreshRate = numberOf(row.CurrentRefreshRate)
  return {
    name,
    adapterCompatibility: textOf(row.AdapterCompatibility),
    adapterRam: bytes ? String(bytes) : null,
    videoProcessor: textOf(row.VideoProcessor),
    videoModeDescription: screenSizeOf(row),
    currentRefreshRate: refreshRate ? String(refreshRate) : null,
  }
}

/** `1920 x 1080`; null for a card without a monitor. */
export function screenSizeOf(row: WmiRow): string | null {
  const [width, height] = [wholeOf(row.CurrentHorizontalResolution), wholeOf(row.CurrentVerticalResolution)]
  return width && height ? `${width} x ${height}` : null
}
